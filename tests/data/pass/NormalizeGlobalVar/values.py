# A function used as a value follows.
@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"global_symbol": "k"})
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        h = cls.f
        a = h(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def k(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        h: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True) = cls.k
        a: R.Tensor((4,), dtype="float32") = h(x)
        return a
