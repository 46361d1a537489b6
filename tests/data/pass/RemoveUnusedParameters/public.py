# The parameters of public functions stay.
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("n",), "float32"), w: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        a = R.exp(w)
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("n",), dtype="float32"), w: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        n = T.int64()
        a: R.Tensor((m,), dtype="float32") = R.exp(w)
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        n = T.int64()
        cls = Module
        b: R.Tensor((m,), dtype="float32") = cls.sub(x, y)
        return b
