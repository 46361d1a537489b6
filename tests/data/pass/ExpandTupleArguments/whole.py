# The function uses the tuple as a whole.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((8,), "float32"):
        a = R.concat(z, axis=0)
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        c = cls.sub((x, y))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z_0: R.Tensor((4,), dtype="float32"), z_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z_0, z_1
        a: R.Tensor((8,), dtype="float32") = R.concat(z, axis=0)
        return a

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        cls = Module
        c: R.Tensor((8,), dtype="float32") = cls.sub(x, y)
        return c
