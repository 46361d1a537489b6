# Calls of functions whose symbols are bound as well.
# PASS: BindSymbolicVars:binding_map={n: 8}
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        a = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        a = cls.sub(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        a: R.Tensor((8,), dtype="float32") = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        cls = Module
        a: R.Tensor((8,), dtype="float32") = cls.sub(x)
        return a
