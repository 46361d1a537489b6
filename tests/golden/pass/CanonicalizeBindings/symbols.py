# RUN: relax opt --pass CanonicalizeBindings %s
# A cast to dims that are known gives its symbols their values.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n + 1",), "float32")):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        j = T.int64()
        with R.dataflow():
            g = R.match_cast(x, R.Tensor((m, k), "float32"))
            h = R.add(g, g)
            i = R.match_cast(y, R.Tensor((j,), "float32"))
            ii = R.exp(i)
            R.output(h, ii)
        s = R.shape([m, k, j])
        return (h, ii, s)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n + 1",), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n + 1",), dtype="float32"), R.Shape(["n", 4, "n + 1"])):
        n = T.int64()
        with R.dataflow():
            h: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            ii: R.Tensor((n + 1,), dtype="float32") = R.exp(y)
            R.output(h, ii)
        s: R.Shape([n, 4, n + 1]) = R.shape([n, 4, n + 1])
        return (h, ii, s)
