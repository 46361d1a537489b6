# Inside of branches.
# PASS: BindSymbolicVars:binding_map={n: 8}
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        if c:
            a = R.exp(x)
            r = R.reshape(a, R.shape([n, 1]))
        else:
            r = R.reshape(x, R.shape([n, 1]))
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((8, 1), dtype="float32"):
        if c:
            a: R.Tensor((8,), dtype="float32") = R.exp(x)
            r_then: R.Tensor((8, 1), dtype="float32") = R.reshape(a, R.shape([8, 1]))
            r: R.Tensor((8, 1), dtype="float32") = r_then
        else:
            r_else: R.Tensor((8, 1), dtype="float32") = R.reshape(x, R.shape([8, 1]))
            r: R.Tensor((8, 1), dtype="float32") = r_else
        return r
