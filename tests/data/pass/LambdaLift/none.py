# Nothing to lift.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.exp(x)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        y: R.Tensor((n,), dtype="float32") = R.exp(x)
        return y
