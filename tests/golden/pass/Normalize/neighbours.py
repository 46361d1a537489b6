# RUN: relax opt --pass Normalize %s
# Neighbouring dataflow blocks become one.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        with R.dataflow():
            b = R.exp(a)
            R.output(b)
        c = R.exp(b)
        with R.dataflow():
            d = R.exp(c)
            R.output(d)
        with R.dataflow():
            e = R.exp(d)
            f = R.exp(e)
            R.output(f)
        return f
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 4), dtype="float32") = R.exp(a)
            R.output(a, b)
        c: R.Tensor((n, 4), dtype="float32") = R.exp(b)
        with R.dataflow():
            d: R.Tensor((n, 4), dtype="float32") = R.exp(c)
            e: R.Tensor((n, 4), dtype="float32") = R.exp(d)
            f: R.Tensor((n, 4), dtype="float32") = R.exp(e)
            R.output(d, f)
        return f
