# What can come back to itself stays.
@I.ir_module
class Module:
    @R.function(private=True)
    def rec(z: R.Tensor(("k",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        cls = Module
        if c:
            r: R.Tensor((k,), "float32") = cls.rec(z, R.const(False, "bool"))
        else:
            r: R.Tensor((k,), "float32") = z
        return r

    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        e = cls.rec(x, c)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def rec(z: R.Tensor(("k",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        cls = Module
        if c:
            r_then: R.Tensor((k,), dtype="float32") = cls.rec(z, R.const(False, "bool"))
            r: R.Tensor((k,), dtype="float32") = r_then
        else:
            r: R.Tensor((k,), dtype="float32") = z
        return r

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        e: R.Tensor((n,), dtype="float32") = cls.rec(x, c)
        return e
