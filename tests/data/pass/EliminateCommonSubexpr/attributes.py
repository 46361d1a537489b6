# Equal operands, other attributes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.nn.softmax(x, axis=-1)
            b = R.nn.softmax(x, axis=0)
            c = R.nn.softmax(x, axis=-1)
            d = R.add(a, b)
            e = R.add(d, c)
            R.output(e)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.nn.softmax(x, axis=-1)
            b: R.Tensor((n, 4), dtype="float32") = R.nn.softmax(x, axis=0)
            c: R.Tensor((n, 4), dtype="float32") = a
            d: R.Tensor((n, 4), dtype="float32") = R.add(a, b)
            e: R.Tensor((n, 4), dtype="float32") = R.add(d, a)
            R.output(e)
        return e
