# One layer whose batch size n is not known until it runs.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), "float32"), w: R.Tensor((128, 10), "float32")) -> R.Tensor(("n", 10), "float32"):
        with R.dataflow():
            scores = R.matmul(x, w)
            chances = R.nn.softmax(scores, axis=-1)
            R.output(chances)
        return chances
