# Two blocks with a plain binding between them become one run.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        b = R.add(a, x)
        with R.dataflow():
            c = R.multiply(b, a)
            d = R.negative(c)
            R.output(d)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        b: R.Tensor((n, 4), dtype="float32") = R.add(a, x)
        c: R.Tensor((n, 4), dtype="float32") = R.multiply(b, a)
        d: R.Tensor((n, 4), dtype="float32") = R.negative(c)
        return d
