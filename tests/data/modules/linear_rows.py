# Rows times rows of weights, as linear layers keep them: more rows than a tile, columns that fill no tile, halves, what
# follows, weights in blocks; and sums of rows. Enough weights that one row has a program of its own.

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

    @R.function
    def blocks_q4_0(x: R.Tensor(("n", 128), "float32"), w: R.Tensor((130, 72), "uint8")) -> R.Tensor(("n", 130), "float32"):
        n = T.int64()
        with R.dataflow():
            v = R.rx.dequantize(w, format="q4_0")
            y = R.einsum((x, v), subscripts="ay,zy->az")
            R.output(y)
        return y

    @R.function
    def blocks_q8_0(x: R.Tensor(("n", 256), "float32"), w: R.Tensor((64, 272), "uint8")) -> R.Tensor(("n", 64), "float32"):
        n = T.int64()
        with R.dataflow():
            v = R.rx.dequantize(w, format="q8_0")
            y = R.einsum((x, v), subscripts="ay,zy->az")
            R.output(y)
        return y

    @R.function
    def halves_in_bytes(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((256, 128), "uint8")) -> R.Tensor(("n", 256), "float32"):
        n = T.int64()
        with R.dataflow():
            v = R.rx.dequantize(w, format="bf16")
            y = R.einsum((x, v), subscripts="ay,zy->az")
            R.output(y)
        return y

    @R.function
    def shared(x: R.Tensor(("n", 256), "float32"), w: R.Tensor((72, 256), "float32"), b: R.Tensor((72,), "float32")) -> R.Tensor(("n", 72), "float32"):
        n = T.int64()
        with R.dataflow():
            y = R.einsum((x, w), subscripts="ay,zy->az")
            z = R.add(y, b)
            v = R.nn.silu(z)
            R.output(v)
        return v
