# A private function hands its tuple on.
@I.ir_module
class Module:
    @R.function(private=True)
    def inner(z: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        a = z[1]
        return a

    @R.function(private=True)
    def outer(z: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.inner(z)
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        c = cls.outer((x, y))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def inner(z_0: R.Tensor((4,), dtype="float32"), z_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        return z_1

    @R.function(private=True)
    def outer(z_0: R.Tensor((4,), dtype="float32"), z_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        a: R.Tensor((4,), dtype="float32") = cls.inner(z_0, z_1)
        return a

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        c: R.Tensor((4,), dtype="float32") = cls.outer(x, y)
        return c
