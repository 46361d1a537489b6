# Nothing takes a tuple.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        c = cls.sub(x)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        a: R.Tensor((4,), dtype="float32") = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        c: R.Tensor((4,), dtype="float32") = cls.sub(x)
        return c
