# A two-layer classifier whose batch size n is not known until it runs.
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 128), "float32"),
        w1: R.Tensor((128, 256), "float32"),
        b1: R.Tensor((256,), "float32"),
        w2: R.Tensor((256, 10), "float32"),
        b2: R.Tensor((10,), "float32"),
    ) -> R.Tensor(("n", 10), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            hidden = R.nn.gelu(R.add(R.matmul(x, w1), b1))
            scores = R.add(R.matmul(hidden, w2), b2)
            chances = R.nn.softmax(scores, axis=-1)
            R.output(chances)
        return chances
