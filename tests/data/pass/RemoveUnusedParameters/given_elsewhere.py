# A symbol that another parameter gives as well.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        a = R.zeros(R.shape([n]), "float32")
        b = R.add(a, w)
        return b

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(w: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.zeros(R.shape([n]), dtype="float32")
        b: R.Tensor((n,), dtype="float32") = R.add(a, w)
        return b

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        b: R.Tensor((n,), dtype="float32") = cls.sub(y)
        return b
