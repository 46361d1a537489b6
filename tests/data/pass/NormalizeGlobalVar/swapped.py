# Two public functions have each other's name.
@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"global_symbol": "g"})
        a = R.exp(x)
        return a

    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"global_symbol": "f"})
        cls = Module
        a = cls.f(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.g(x)
        return a

    @R.function
    def g(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(x)
        return a
