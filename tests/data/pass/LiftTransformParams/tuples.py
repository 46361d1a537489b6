# OTHER ARGUMENTS
# Tuples of weights, items of them, what is made of items.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), u: R.Tensor((8, 4), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = (w, u)
            a = t[0]
            b = t[1]
            c = R.add(a, b)
            d = R.permute_dims(c, [1, 0])
            y = R.matmul(x, d)
            R.output(y)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"))) -> R.Tuple(R.Tensor((4, 8), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            a: R.Tensor((8, 4), dtype="float32") = model_params[0]
            b: R.Tensor((8, 4), dtype="float32") = model_params[1]
            c: R.Tensor((8, 4), dtype="float32") = R.add(a, b)
            d: R.Tensor((4, 8), dtype="float32") = R.permute_dims(c, axes=[1, 0])
            output_tuple: R.Tuple(R.Tensor((4, 8), dtype="float32")) = (d,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), d: R.Tensor((4, 8), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, d, out_dtype="void")
            R.output(y)
        return y
