# Neighbouring dataflow blocks are one.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(x)
            c = R.exp(b)
            R.output(c)
        with R.dataflow():
            a1 = R.exp(x)
            b1 = R.exp(x)
            c1 = R.exp(b1)
            y = x
            z = R.exp(y)
            R.output(c1, b1, z)
        w = R.exp(x)
        w1 = R.exp(w)
        return (c, c1, w1, b1, z)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 4), dtype="float32") = a
            c: R.Tensor((n, 4), dtype="float32") = R.exp(a)
            a1: R.Tensor((n, 4), dtype="float32") = a
            b1: R.Tensor((n, 4), dtype="float32") = a
            c1: R.Tensor((n, 4), dtype="float32") = c
            y: R.Tensor((n, 4), dtype="float32") = x
            z: R.Tensor((n, 4), dtype="float32") = R.exp(y)
            R.output(c, b1, c1, z)
        w: R.Tensor((n, 4), dtype="float32") = b1
        w1: R.Tensor((n, 4), dtype="float32") = R.exp(b1)
        return (c, c1, w1, b1, z)
