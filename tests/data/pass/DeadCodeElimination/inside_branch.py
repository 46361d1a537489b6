# What a branch does not need goes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        if c:
            d = R.exp(x)
            dead = R.exp(d)
            e = R.negative(d)
        else:
            dead = R.exp(x)
            e = R.exp(x)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        if c:
            d: R.Tensor((n,), dtype="float32") = R.exp(x)
            e_then: R.Tensor((n,), dtype="float32") = R.negative(d)
            e: R.Tensor((n,), dtype="float32") = e_then
        else:
            e_else: R.Tensor((n,), dtype="float32") = R.exp(x)
            e: R.Tensor((n,), dtype="float32") = e_else
        return e
