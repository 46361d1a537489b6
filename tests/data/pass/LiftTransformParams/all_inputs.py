# DIFFERS: where no parameter is a weight, TVM makes a function of no weights, we none
# OTHER ARGUMENTS
# All parameters are inputs.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            y = R.matmul(x, wt)
            R.output(y)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple) -> R.Tuple:
        R.func_attr({"num_input": 0})
        return R.tuple()

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((8, 4), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            R.output(y)
        return y
