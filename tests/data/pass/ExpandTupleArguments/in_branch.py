# Calls in branches.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        a = z[1]
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        if c:
            r = cls.sub((x, y))
        else:
            r = cls.sub((y, x))
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z_0: R.Tensor((4,), dtype="float32"), z_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        return z_1

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        if c:
            r_then: R.Tensor((4,), dtype="float32") = cls.sub(x, y)
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r_else: R.Tensor((4,), dtype="float32") = cls.sub(y, x)
            r: R.Tensor((4,), dtype="float32") = r_else
        return r
