# Items taken outside of the block that made the tuple.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            h = R.exp(x)
            i = R.negative(x)
            t = (h, i)
            R.output(t)
        a = t[0]
        b = t[1]
        c = R.add(a, b)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 4), dtype="float32") = R.negative(x)
            t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, b
            R.output(a, b, t)
        c: R.Tensor((n, 4), dtype="float32") = R.add(a, b)
        return c
