# Two private functions step aside.
@I.ir_module
class Module:
    @R.function(private=True)
    def a(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def b(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        cls = Module
        y = cls.a(x)
        return y

    @R.function
    def c(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"global_symbol": "a"})
        cls = Module
        y = cls.b(x)
        return y

    @R.function
    def d(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"global_symbol": "b"})
        cls = Module
        y = cls.c(x)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def a(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = cls.b1(x)
        return y

    @R.function(private=True)
    def a1(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        y: R.Tensor((n,), dtype="float32") = R.exp(x)
        return y

    @R.function
    def b(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = cls.a(x)
        return y

    @R.function(private=True)
    def b1(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = cls.a1(x)
        return y
