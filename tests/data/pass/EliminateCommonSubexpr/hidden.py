# What a dataflow block computes for itself cannot be used outside.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(a)
            R.output(b)
        c = R.exp(x)
        d = R.exp(c)
        return (b, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 4), dtype="float32") = R.exp(a)
            R.output(b)
        c: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        d: R.Tensor((n, 4), dtype="float32") = R.exp(c)
        return (b, d)
