# It calls itself; nothing is captured.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        @R.function
        def f(z: R.Tensor(("m",), "float32"), d: R.Tensor((), "bool")) -> R.Tensor(("m",), "float32"):
            m = T.int64()
            if d:
                r: R.Tensor((m,), "float32") = f(z, R.const(False, "bool"))
            else:
                r: R.Tensor((m,), "float32") = z
            return r
        a = f(x, c)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor(("m",), dtype="float32"), d: R.Tensor((), dtype="bool")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        cls = Module
        if d:
            r_then: R.Tensor((m,), dtype="float32") = cls.main_f(z, R.const(False, "bool"))
            r: R.Tensor((m,), dtype="float32") = r_then
        else:
            r: R.Tensor((m,), dtype="float32") = z
        return r

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.main_f(x, c)
        return a
