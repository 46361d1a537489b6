# As late as possible.
# PASS: TopologicalSort:direction=from-outputs
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(y)
            c = R.negative(a)
            d = R.negative(b)
            e = R.add(c, d)
            R.output(e)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            c: R.Tensor((n,), dtype="float32") = R.negative(a)
            b: R.Tensor((n,), dtype="float32") = R.exp(y)
            d: R.Tensor((n,), dtype="float32") = R.negative(b)
            e: R.Tensor((n,), dtype="float32") = R.add(c, d)
            R.output(e)
        return e
