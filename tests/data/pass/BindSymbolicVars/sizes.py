# Dims, shapes and scalars.
# PASS: BindSymbolicVars:binding_map={n: 16, k: 3}
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return z

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * 2 + m",), "float32"), s: R.Shape(["k"])):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        a = R.exp(x)
        b = R.reshape(a, R.shape([n * m]))
        c = R.zeros(R.shape([n + k]), "float32")
        p = R.prim_value(n * k)
        d = R.match_cast(y, R.Tensor((n * 2 + m,), "float32"))
        return (b, c, p, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor((16,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        return z

    @R.function
    def main(x: R.Tensor((16, "m"), dtype="float32"), y: R.Tensor(("m + 32",), dtype="float32"), s: R.Shape([3])) -> R.Tuple(R.Tensor(("m * 16",), dtype="float32"), R.Tensor((19,), dtype="float32"), R.Prim(value=48), R.Tensor(("m + 32",), dtype="float32")):
        m = T.int64()
        a: R.Tensor((16, m), dtype="float32") = R.exp(x)
        b: R.Tensor((m * 16,), dtype="float32") = R.reshape(a, R.shape([m * 16]))
        c: R.Tensor((19,), dtype="float32") = R.zeros(R.shape([19]), dtype="float32")
        p: R.Prim(value=48) = R.prim_value(48)
        d: R.Tensor((m + 32,), dtype="float32") = R.match_cast(y, R.Tensor((m + 32,), dtype="float32"))
        return (b, c, p, d)
