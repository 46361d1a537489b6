# A body with an if, and dims that are known.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if c:
            r = R.exp(z)
        else:
            r = z
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        d = cls.sub(x, c)
        e = R.exp(d)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        if c:
            r_then: R.Tensor((4,), dtype="float32") = R.exp(x)
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r: R.Tensor((4,), dtype="float32") = x
        e: R.Tensor((4,), dtype="float32") = R.exp(r)
        return e
