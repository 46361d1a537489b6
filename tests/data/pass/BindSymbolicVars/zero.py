# Zero is a size.
# PASS: BindSymbolicVars:binding_map={n: 0}
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        a = R.reshape(x, R.shape([n * 4]))
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((0, 4), dtype="float32")) -> R.Tensor((0,), dtype="float32"):
        a: R.Tensor((0,), dtype="float32") = R.reshape(x, R.shape([0]))
        return a
