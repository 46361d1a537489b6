# PASS: BindSymbolicVars:binding_map={n: 4}
# Dims made of the symbol, in a shape value too.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n * m", "n + 1"), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.reshape(x, R.shape([n * m, 1]))
        b = R.broadcast_to(a, R.shape([n * m, n + 1]))
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, "m"), dtype="float32")) -> R.Tensor(("m * 4", 5), dtype="float32"):
        m = T.int64()
        a: R.Tensor((m * 4, 1), dtype="float32") = R.reshape(x, R.shape([m * 4, 1]))
        b: R.Tensor((m * 4, 5), dtype="float32") = R.broadcast_to(a, R.shape([m * 4, 5]))
        return b
