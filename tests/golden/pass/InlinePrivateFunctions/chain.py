# RUN: relax opt --pass InlinePrivateFunctions %s
# A private function that calls another.
@I.ir_module
class Module:
    @R.function(private=True)
    def inner(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        u = R.exp(z)
        return u

    @R.function(private=True)
    def outer(z: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        cls = Module
        u = cls.inner(z)
        v = R.negative(u)
        return v

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        a = cls.outer(x)
        return a
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        u: R.Tensor((n,), dtype="float32") = R.exp(x)
        v: R.Tensor((n,), dtype="float32") = R.negative(u)
        return v
