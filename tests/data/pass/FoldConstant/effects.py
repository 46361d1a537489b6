# Packed calls stay, whatever they get.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((), "float32")):
        a = R.call_packed("f", R.const(1.0, "float32"), sinfo_args=(R.Tensor((), "float32"),))
        b = R.call_pure_packed("f", R.const(1.0, "float32"), sinfo_args=(R.Tensor((), "float32"),))
        c = R.add(a, b)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        a: R.Tensor((), dtype="float32") = R.call_packed("f", R.const(1.0, "float32"), sinfo_args=(R.Tensor((), dtype="float32"),))
        b: R.Tensor((), dtype="float32") = R.call_pure_packed("f", R.const(1.0, "float32"), sinfo_args=(R.Tensor((), dtype="float32"),))
        c: R.Tensor((), dtype="float32") = R.add(a, b)
        return c
