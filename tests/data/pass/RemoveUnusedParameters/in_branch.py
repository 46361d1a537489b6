# A parameter read in a branch, and calls in branches.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(c: R.Tensor((), "bool"), z: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        if c:
            r = R.exp(z)
        else:
            r = R.negative(z)
        return r

    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        if c:
            b = cls.sub(c, x, y)
        else:
            b = cls.sub(c, y, x)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(c: R.Tensor((), dtype="bool"), z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        if c:
            r_then: R.Tensor((4,), dtype="float32") = R.exp(z)
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r_else: R.Tensor((4,), dtype="float32") = R.negative(z)
            r: R.Tensor((4,), dtype="float32") = r_else
        return r

    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        if c:
            b_then: R.Tensor((4,), dtype="float32") = cls.sub(c, x)
            b: R.Tensor((4,), dtype="float32") = b_then
        else:
            b_else: R.Tensor((4,), dtype="float32") = cls.sub(c, y)
            b: R.Tensor((4,), dtype="float32") = b_else
        return b
