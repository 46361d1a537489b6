# It calls itself.
@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        R.func_attr({"global_symbol": "h"})
        cls = Module
        if c:
            r: R.Tensor((4,), "float32") = cls.f(x, R.const(False, "bool"))
        else:
            r: R.Tensor((4,), "float32") = x
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def h(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        if c:
            r_then: R.Tensor((4,), dtype="float32") = cls.h(x, R.const(False, "bool"))
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            r: R.Tensor((4,), dtype="float32") = x
        return r
