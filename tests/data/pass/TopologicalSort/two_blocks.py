# Each block by itself; values from before count as inputs.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(x)
            R.output(a, b)
        c = R.add(a, b)
        with R.dataflow():
            d = R.exp(c)
            e = R.exp(a)
            f = R.exp(d)
            g = R.add(e, f)
            R.output(g)
        return g
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            b: R.Tensor((n,), dtype="float32") = R.exp(x)
            R.output(a, b)
        c: R.Tensor((n,), dtype="float32") = R.add(a, b)
        with R.dataflow():
            e: R.Tensor((n,), dtype="float32") = R.exp(a)
            d: R.Tensor((n,), dtype="float32") = R.exp(c)
            f: R.Tensor((n,), dtype="float32") = R.exp(d)
            g: R.Tensor((n,), dtype="float32") = R.add(e, f)
            R.output(g)
        return g
