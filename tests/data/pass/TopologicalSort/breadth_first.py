# Level by level.
# PASS: TopologicalSort:order=breadth-first
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            c = R.negative(a)
            b = R.exp(y)
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
            b: R.Tensor((n,), dtype="float32") = R.exp(y)
            c: R.Tensor((n,), dtype="float32") = R.negative(a)
            d: R.Tensor((n,), dtype="float32") = R.negative(b)
            e: R.Tensor((n,), dtype="float32") = R.add(c, d)
            R.output(e)
        return e
