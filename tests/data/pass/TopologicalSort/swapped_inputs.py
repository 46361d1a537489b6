# The first binding reads the last parameter.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        with R.dataflow():
            b = R.exp(y)
            a = R.exp(x)
            d = R.negative(b)
            c = R.negative(a)
            R.output(c, d)
        return (c, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            c: R.Tensor((n,), dtype="float32") = R.negative(a)
            b: R.Tensor((n,), dtype="float32") = R.exp(y)
            d: R.Tensor((n,), dtype="float32") = R.negative(b)
            R.output(c, d)
        return (c, d)
