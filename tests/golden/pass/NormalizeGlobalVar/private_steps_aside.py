# RUN: relax opt --pass NormalizeGlobalVar %s
# A public function's symbol is the name of a private one.
@I.ir_module
class Module:
    @R.function(private=True)
    def f1(z: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return z

    @R.function
    def f(x: R.Tensor(("n",), "float32")):
        R.func_attr({"global_symbol": "f1"})
        cls = Module
        a = cls.f1(x)
        return a
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f11(z: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        return z

    @R.function
    def f1(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.f11(x)
        return a
