# Public functions keep their parameters.
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        a = z[1]
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        c = cls.sub((x, y))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tensor((4,), dtype="float32"):
        a: R.Tensor((4,), dtype="float32") = z[1]
        return a

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        c: R.Tensor((4,), dtype="float32") = cls.sub((x, y))
        return c
