# OTHER ARGUMENTS
# Two dataflow blocks with a call with effects between them; a chain of second names.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1 = w
            w2 = R.exp(w1)
            w3 = w2
            R.output(w3)
        _: R.Object = R.call_packed("log", w3)
        with R.dataflow():
            w4 = R.permute_dims(w3, [1, 0])
            y = R.matmul(x, w4)
            R.output(y)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"))) -> R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((4, 8), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((8, 4), dtype="float32") = model_params[0]
            w2: R.Tensor((8, 4), dtype="float32") = R.exp(w)
            w4: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w2, axes=[1, 0])
            output_tuple: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((4, 8), dtype="float32")) = w2, w4
            R.output(output_tuple)
        return output_tuple

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32"), w3: R.Tensor((8, 4), dtype="float32"), w4: R.Tensor((4, 8), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        _: R.Object = R.call_packed("log", w3)
        with R.dataflow():
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, w4, out_dtype="void")
            R.output(y)
        return y
