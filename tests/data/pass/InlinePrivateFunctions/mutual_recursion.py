# Two that call each other stay, a third that calls them goes.
@I.ir_module
class Module:
    @R.function(private=True)
    def even(z: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            r: R.Tensor((4,), "float32") = cls.odd(z, R.const(False, "bool"))
        else:
            r: R.Tensor((4,), "float32") = z
        return r

    @R.function(private=True)
    def odd(z: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        r: R.Tensor((4,), "float32") = cls.even(z, c)
        return r

    @R.function(private=True)
    def both(z: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        a: R.Tensor((4,), "float32") = cls.even(z, c)
        b: R.Tensor((4,), "float32") = cls.odd(a, c)
        return b

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        e = cls.both(x, c)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def even(z: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        if c:
            r_then: R.Tensor((4,), dtype="float32") = cls.odd(z, R.const(False, "bool"))
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r: R.Tensor((4,), dtype="float32") = z
        return r

    @R.function(private=True)
    def odd(z: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        r: R.Tensor((4,), dtype="float32") = cls.even(z, c)
        return r

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        a: R.Tensor((4,), dtype="float32") = cls.even(x, c)
        b: R.Tensor((4,), dtype="float32") = cls.odd(a, c)
        return b
