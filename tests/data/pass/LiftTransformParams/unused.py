# OTHER ARGUMENTS
# Weights and values made of weights that nobody needs.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), g: R.Tensor((4,), "float32"), u: R.Tensor((8, 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            h = R.exp(g)
            i = R.exp(u)
            j = R.add(i, h)
            y = R.add(x, h)
            R.output(y)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((8, 4), dtype="float32"))) -> R.Tuple(R.Tensor((4,), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            g: R.Tensor((4,), dtype="float32") = model_params[0]
            h: R.Tensor((4,), dtype="float32") = R.exp(g)
            output_tuple: R.Tuple(R.Tensor((4,), dtype="float32")) = (h,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), h: R.Tensor((4,), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, 4), dtype="float32") = R.add(x, h)
            R.output(y)
        return y
