# Other names of a value go; a dataflow output may become an inner value.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(a)
            R.output(a, b)
        c = R.exp(x)
        with R.dataflow():
            d = R.exp(c)
            e = d
            f = e
            R.output(d, e, f)
        g = f
        return (g, d, e)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 4), dtype="float32") = R.exp(a)
            R.output()
        c: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        with R.dataflow():
            d: R.Tensor((n, 4), dtype="float32") = R.exp(c)
            R.output(d)
        return (d, d, d)
