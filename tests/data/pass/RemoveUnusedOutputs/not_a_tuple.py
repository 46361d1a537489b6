# Other results stay.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        a = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        t = cls.sub(x)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        t: R.Tensor((n,), dtype="float32") = cls.sub(x)
        return t
