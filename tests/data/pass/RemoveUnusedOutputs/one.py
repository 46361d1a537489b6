# One field: no tuple any more.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")):
        a = R.exp(z)
        b = R.exp(a)
        return (a, b)

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        with R.dataflow():
            t = cls.sub(x)
            d = t[1]
            R.output(d)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        b: R.Tensor((n,), dtype="float32") = R.exp(a)
        return b

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            d: R.Tensor((n,), dtype="float32") = cls.sub(x)
            R.output(d)
        return d
