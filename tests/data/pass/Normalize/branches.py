# Branches are bodies of their own.
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n", 4), "float32")):
        if c:
            a = R.exp(R.exp(x))
        else:
            a = R.negative(R.negative(x))
        b = R.exp(a)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        if c:
            gv: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            a_then: R.Tensor((n, 4), dtype="float32") = R.exp(gv)
            a: R.Tensor((n, 4), dtype="float32") = a_then
        else:
            gv2: R.Tensor((n, 4), dtype="float32") = R.negative(x)
            a_else: R.Tensor((n, 4), dtype="float32") = R.negative(gv2)
            a: R.Tensor((n, 4), dtype="float32") = a_else
        b: R.Tensor((n, 4), dtype="float32") = R.exp(a)
        return b
