# Nothing is used.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor((2,), "float32"):
        a = R.zeros(R.shape([2]), "float32")
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub() -> R.Tensor((2,), dtype="float32"):
        a: R.Tensor((2,), dtype="float32") = R.zeros(R.shape([2]), dtype="float32")
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        n = T.int64()
        cls = Module
        b: R.Tensor((2,), dtype="float32") = cls.sub()
        return b
