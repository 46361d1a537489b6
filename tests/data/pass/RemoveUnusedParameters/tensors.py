# A tensor nobody reads.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        a = R.exp(w)
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n",), "float32"), unused: R.Tensor(("n",), "float32")):
        cls = Module
        with R.dataflow():
            a = cls.sub(x, y)
            R.output(a)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(w: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(w)
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("n",), dtype="float32"), unused: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = cls.sub(y)
            R.output(a)
        return a
