# Dataflow blocks in dataflow blocks.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        with R.dataflow():
            u = R.exp(z)
            v = R.exp(u)
            R.output(v)
        return v

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        with R.dataflow():
            a = cls.sub(x)
            b = R.exp(a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            u: R.Tensor((n,), dtype="float32") = R.exp(x)
            v: R.Tensor((n,), dtype="float32") = R.exp(u)
            b: R.Tensor((n,), dtype="float32") = R.exp(v)
            R.output(b)
        return b
