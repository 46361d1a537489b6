# OTHER ARGUMENTS
# Outside of dataflow, an if that uses a weight and what is made of it.
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32"), g: R.Tensor((4,), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            g1 = R.exp(g)
            R.output(wt, g1)
        if c:
            a = R.matmul(x, wt)
            z = R.add(a, g)
        else:
            b = R.matmul(x, w)
            z = R.add(b, g1)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4,), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((4, 4), dtype="float32") = model_params[0]
            wt: R.Tensor((4, 4), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            g: R.Tensor((4,), dtype="float32") = model_params[1]
            g1: R.Tensor((4,), dtype="float32") = R.exp(g)
            w1: R.Tensor((4, 4), dtype="float32") = model_params[0]
            g1_1: R.Tensor((4,), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4,), dtype="float32")) = w1, g1_1, wt, g1
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), g: R.Tensor((4,), dtype="float32"), wt: R.Tensor((4, 4), dtype="float32"), g1: R.Tensor((4,), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 2})
        if c:
            a: R.Tensor((n, 4), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            z_then: R.Tensor((n, 4), dtype="float32") = R.add(a, g)
            z: R.Tensor((n, 4), dtype="float32") = z_then
        else:
            b: R.Tensor((n, 4), dtype="float32") = R.matmul(x, w, out_dtype="void")
            z_else: R.Tensor((n, 4), dtype="float32") = R.add(b, g1)
            z: R.Tensor((n, 4), dtype="float32") = z_else
        return z
