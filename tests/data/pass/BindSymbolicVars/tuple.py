# Symbols in tuples of a signature.
# PASS: BindSymbolicVars:binding_map={n: 8}
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n", "n"), "float32"))):
        a = t[0]
        b = t[1]
        c = R.add(a, b)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((8, 8), dtype="float32"))) -> R.Tensor((8, 8), dtype="float32"):
        a: R.Tensor((8,), dtype="float32") = t[0]
        b: R.Tensor((8, 8), dtype="float32") = t[1]
        c: R.Tensor((8, 8), dtype="float32") = R.add(a, b)
        return c
