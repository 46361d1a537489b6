# Nothing is called; the attribute comes all the same.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "n * 2"), "float32")) -> R.Tensor(("n", "n * 2"), "float32"):
        n = T.int64()
        y = R.exp(x)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "n * 2"), dtype="float32")) -> R.Tensor(("n", "n * 2"), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        y: R.Tensor((n, n * 2), dtype="float32") = R.exp(x)
        return y
