# A public function stays, and is called.
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        u = R.exp(z)
        return u

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        a = cls.sub(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        u: R.Tensor((k,), dtype="float32") = R.exp(z)
        return u

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.sub(x)
        return a
