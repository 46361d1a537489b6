# PASS: LiftTransformParams:shared_transform=[prefill,decode]
# The same with names.
# OTHER ARGUMENTS
@I.ir_module
class Module:
    @R.function
    def prefill(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            y = R.matmul(x, wt)
            g1 = R.add(g, g)
            z = R.add(y, g1)
            R.output(z)
        return z
    @R.function
    def decode(x: R.Tensor((1, 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32")) -> R.Tensor((1, 8), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            y = R.matmul(x, wt)
            g2 = R.multiply(g, g)
            z = R.add(y, g)
            q = R.add(z, g2)
            R.output(q)
        return q
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def decode(x: R.Tensor((1, 4), dtype="float32"), g: R.Tensor((8,), dtype="float32"), wt: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((1, 8), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((1, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            g2: R.Tensor((8,), dtype="float32") = R.multiply(g, g)
            z: R.Tensor((1, 8), dtype="float32") = R.add(y, g)
            q: R.Tensor((1, 8), dtype="float32") = R.add(z, g2)
            R.output(q)
        return q

    @R.function
    def prefill(x: R.Tensor(("n", 4), dtype="float32"), g: R.Tensor((8,), dtype="float32"), wt: R.Tensor((4, 8), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            g1: R.Tensor((8,), dtype="float32") = R.add(g, g)
            z: R.Tensor((n, 8), dtype="float32") = R.add(y, g1)
            R.output(z)
        return z

    @R.function
    def transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8,), dtype="float32"))) -> R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((8, 4), dtype="float32") = model_params[0]
            wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            g: R.Tensor((8,), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32")) = g, wt
            R.output(output_tuple)
        return output_tuple
