# A block that is there already takes in its neighbours.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        a = R.exp(x)
        with R.dataflow():
            o = R.exp(a)
            p = R.exp(o)
            R.output(p)
        q = R.exp(p)
        return q
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            o: R.Tensor((n,), dtype="float32") = R.exp(a)
            p: R.Tensor((n,), dtype="float32") = R.exp(o)
            q: R.Tensor((n,), dtype="float32") = R.exp(p)
            R.output(q)
        return q
