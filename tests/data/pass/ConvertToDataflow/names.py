# Other names are canonicalised on the way.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        a = R.exp(x)
        b = a
        t = (a, b)
        u = t[1]
        c = R.exp(u)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = a, a
            c: R.Tensor((n,), dtype="float32") = R.exp(a)
            R.output(c)
        return c
