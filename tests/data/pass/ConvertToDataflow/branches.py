# Inside of branches; an if ends a run.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        h = R.exp(x)
        h2 = R.exp(h)
        if c:
            i = R.exp(h2)
            i2 = R.exp(i)
            j = R.exp(i2)
        else:
            j = h
        k = R.exp(j)
        l = R.exp(k)
        return l
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            h: R.Tensor((n,), dtype="float32") = R.exp(x)
            h2: R.Tensor((n,), dtype="float32") = R.exp(h)
            R.output(h, h2)
        if c:
            with R.dataflow():
                i: R.Tensor((n,), dtype="float32") = R.exp(h2)
                i2: R.Tensor((n,), dtype="float32") = R.exp(i)
                j_then: R.Tensor((n,), dtype="float32") = R.exp(i2)
                R.output(j_then)
            j: R.Tensor((n,), dtype="float32") = j_then
        else:
            j: R.Tensor((n,), dtype="float32") = h
        with R.dataflow():
            k: R.Tensor((n,), dtype="float32") = R.exp(j)
            l: R.Tensor((n,), dtype="float32") = R.exp(k)
            R.output(l)
        return l
