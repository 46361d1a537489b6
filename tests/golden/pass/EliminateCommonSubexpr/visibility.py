# RUN: relax opt --pass EliminateCommonSubexpr %s
# Outside of a dataflow block its first equal output stands for the value.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.add(x, y)
            b = R.add(x, y)
            d = R.multiply(a, b)
            R.output(d, b)
        e = R.add(x, y)
        with R.dataflow():
            f = R.add(x, y)
            R.output(f)
        g = R.exp(e)
        return (d, b, e, f, g)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.add(x, y)
            b: R.Tensor((n, 4), dtype="float32") = a
            d: R.Tensor((n, 4), dtype="float32") = R.multiply(a, a)
            R.output(d, b)
        e: R.Tensor((n, 4), dtype="float32") = b
        with R.dataflow():
            f: R.Tensor((n, 4), dtype="float32") = b
            R.output(f)
        g: R.Tensor((n, 4), dtype="float32") = R.exp(b)
        return (d, b, b, f, g)
