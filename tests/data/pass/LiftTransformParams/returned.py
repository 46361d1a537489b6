# OTHER ARGUMENTS
# A weight and what is made of weights alone are the result.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor(("n", 4), "float32"), R.Tensor((4, 8), "float32"), R.Tensor((8,), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            y = R.exp(x)
            t = (y, wt, g)
            R.output(t)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8,), dtype="float32"))) -> R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((8, 4), dtype="float32") = model_params[0]
            wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            g: R.Tensor((8,), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32")) = g, wt
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), g: R.Tensor((8,), dtype="float32"), wt: R.Tensor((4, 8), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="float32")) = y, wt, g
            R.output(t)
        return t
