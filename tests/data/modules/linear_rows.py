# Rows times rows of weights, as linear layers keep them: more rows than a tile, columns that fill no tile, halves, what
# follows; and sums of rows.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((12, 64), "float32"), b: R.Tensor((12,), "float32")) -> R.Tensor(("n", 12), "float32"):
        n = T.int64()
        with R.dataflow():
            y = R.einsum((x, w), subscripts="ay,zy->az")
            z = R.add(y, b)
            v = R.nn.gelu(z)
            R.output(v)
        return v

    @R.function
    def ragged(x: R.Tensor(("n", 32), "float32"), w: R.Tensor((7, 32), "float32")) -> R.Tensor(("n", 7), "float32"):
        n = T.int64()
        with R.dataflow():
            y = R.einsum((x, w), subscripts="ay,zy->az")
            R.output(y)
        return y

    @R.function
    def halves(x: R.Tensor(("n", 48), "float16"), w: R.Tensor((33, 48), "float16")) -> R.Tensor(("n", 33), "float16"):
        n = T.int64()
        with R.dataflow():
            y = R.einsum((x, w), subscripts="ay,zy->az")
            R.output(y)
        return y

    @R.function
    def sums(x: R.Tensor(("n", 64), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        with R.dataflow():
            y = R.sum(x, axis=[1])
            R.output(y)
        return y

    @R.function
    def columns(x: R.Tensor(("n", 64), "float32"), w: R.Tensor(("m", 64), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y = R.einsum((x, w), subscripts="ay,zy->az")
            R.output(y)
        return y
