# Two public functions, no program.
@I.ir_module
class Module:
    @R.function
    def other(y: R.Tensor(("k", 3), "float32")) -> R.Tensor(("k", 3), "float32"):
        k = T.int64()
        a = R.exp(y)
        return a

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        a = R.sin(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def other(y: R.Tensor(("k", 3), dtype="float32")) -> R.Tensor(("k", 3), dtype="float32"):
        k = T.int64()
        a: R.Tensor((k, 3), dtype="float32") = R.exp(y)
        return a

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.sin(x)
        return a
