# A function that gives back what it got.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("k",), "float32"), y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        return y

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        d = cls.sub(x, y)
        e = R.exp(d)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        e: R.Tensor((n,), dtype="float32") = R.exp(y)
        return e
