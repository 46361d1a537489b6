# OTHER ARGUMENTS
# A transposition, a sum with a constant, and a weight that is used as it is.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32"), u: R.Tensor((8, 8), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            g1 = R.add(g, R.const(1.0, "float32"))
            y = R.matmul(x, wt)
            z = R.multiply(y, g1)
            v = R.matmul(z, u)
            R.output(v)
        return v
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((8, 8), dtype="float32"))) -> R.Tuple(R.Tensor((8, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((8, 4), dtype="float32") = model_params[0]
            wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            g: R.Tensor((8,), dtype="float32") = model_params[1]
            g1: R.Tensor((8,), dtype="float32") = R.add(g, R.const(1.0, "float32"))
            u: R.Tensor((8, 8), dtype="float32") = model_params[2]
            output_tuple: R.Tuple(R.Tensor((8, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="float32")) = u, wt, g1
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), u: R.Tensor((8, 8), dtype="float32"), wt: R.Tensor((4, 8), dtype="float32"), g1: R.Tensor((8,), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            z: R.Tensor((n, 8), dtype="float32") = R.multiply(y, g1)
            v: R.Tensor((n, 8), dtype="float32") = R.matmul(z, u, out_dtype="void")
            R.output(v)
        return v
