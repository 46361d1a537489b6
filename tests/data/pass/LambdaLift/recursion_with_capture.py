# It calls itself and captures two values.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        never = R.const(False, "bool")
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            if never:
                r: R.Tensor((4,), "float32") = f(R.add(z, x))
            else:
                r: R.Tensor((4,), "float32") = z
            return r
        a = f(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor((4,), dtype="float32"), never: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        if never:
            gv: R.Tensor((4,), dtype="float32") = R.add(z, x)
            r_then: R.Tensor((4,), dtype="float32") = cls.main_f(gv, never, x)
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r: R.Tensor((4,), dtype="float32") = z
        return r

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        never: R.Tensor((), dtype="bool") = R.const(False, "bool")
        f: R.Object = R.make_closure(cls.main_f, (never, x))
        a: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(f, (x,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return a
