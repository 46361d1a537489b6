# An output that nobody uses, and a result from before the block.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        s = R.exp(x)
        with R.dataflow():
            a = R.sin(s)
            b = R.cos(a)
            R.output(a, b)
        return s
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        s: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        a: R.Tensor((n, 4), dtype="float32") = R.sin(s)
        b: R.Tensor((n, 4), dtype="float32") = R.cos(a)
        return s
