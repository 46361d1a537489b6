# OTHER ARGUMENTS
# Weights with symbols of their own and with symbols that inputs define.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("k", "m"), "float32"), g: R.Tensor(("k",), "float32"), h: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n", "k"), "float32"), R.Tensor(("n",), "float32")):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            g1 = R.exp(g)
            g2 = R.reshape(g1, R.shape([1, k]))
            wt = R.permute_dims(w, [1, 0])
            h1 = R.exp(h)
            y = R.matmul(x, wt)
            z = R.add(y, g2)
            t = (z, h1)
            R.output(t)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor(("k", "m"), dtype="float32"), R.Tensor(("k",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tuple(R.Tensor((1, "k"), dtype="float32"), R.Tensor(("m", "k"), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        k = T.int64()
        m = T.int64()
        n = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            g: R.Tensor((k,), dtype="float32") = model_params[1]
            g1: R.Tensor((k,), dtype="float32") = R.exp(g)
            g2: R.Tensor((1, k), dtype="float32") = R.reshape(g1, R.shape([1, k]))
            w: R.Tensor((k, m), dtype="float32") = model_params[0]
            wt: R.Tensor((m, k), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            h: R.Tensor((n,), dtype="float32") = model_params[2]
            h1: R.Tensor((n,), dtype="float32") = R.exp(h)
            output_tuple: R.Tuple(R.Tensor((1, k), dtype="float32"), R.Tensor((m, k), dtype="float32"), R.Tensor((n,), dtype="float32")) = g2, wt, h1
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), g2: R.Tensor((1, "k"), dtype="float32"), wt: R.Tensor(("m", "k"), dtype="float32"), h1: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n", "k"), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n, k), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            z: R.Tensor((n, k), dtype="float32") = R.add(y, g2)
            t: R.Tuple(R.Tensor((n, k), dtype="float32"), R.Tensor((n,), dtype="float32")) = z, h1
            R.output(t)
        return t
