# OTHER ARGUMENTS
# An operator with several results: some parts are used.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 12), "float32")) -> R.Tuple(R.Tensor(("n", 4), "float32"), R.Tensor(("n", 4), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            s = R.split(w, 3, axis=1)
            q = s[0]
            v = s[2]
            a = R.matmul(x, q)
            b = R.matmul(x, v)
            t = (a, b)
            R.output(t)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((4, 12), dtype="float32"))) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((4, 12), dtype="float32") = model_params[0]
            s: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = R.split(w, indices_or_sections=3, axis=1)
            q: R.Tensor((4, 4), dtype="float32") = s[0]
            v: R.Tensor((4, 4), dtype="float32") = s[2]
            output_tuple: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = q, v
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), q: R.Tensor((4, 4), dtype="float32"), v: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a: R.Tensor((n, 4), dtype="float32") = R.matmul(x, q, out_dtype="void")
            b: R.Tensor((n, 4), dtype="float32") = R.matmul(x, v, out_dtype="void")
            t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, b
            R.output(t)
        return t
