# Tuples and items.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.negative(x)
            t = (a, b)
            c = R.exp(b)
            d = t[0]
            e = R.add(d, c)
            R.output(e)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            b: R.Tensor((n,), dtype="float32") = R.negative(x)
            t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = a, b
            d: R.Tensor((n,), dtype="float32") = t[0]
            c: R.Tensor((n,), dtype="float32") = R.exp(b)
            e: R.Tensor((n,), dtype="float32") = R.add(d, c)
            R.output(e)
        return e
