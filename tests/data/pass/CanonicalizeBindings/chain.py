# A chain of names.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = x
            b = a
            c = b
            d = R.exp(c)
            e = d
            f = (e, d)
            g = f[0]
            h = R.add(g, f[1])
            R.output(h)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            d: R.Tensor((n,), dtype="float32") = R.exp(x)
            f: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = d, d
            h: R.Tensor((n,), dtype="float32") = R.add(d, d)
            R.output(h)
        return h
