# OTHER ARGUMENTS
# A symbol that what is made of a weight tells no more, and one that nobody needs any more.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), u: R.Tensor(("k", 4), "float32"), w: R.Tensor(("j", 4), "float32")) -> R.Tensor(("k * 4",), "float32"):
        n = T.int64()
        k = T.int64()
        j = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            f = R.reshape(u, R.shape([k * 4]))
            g = R.exp(f)
            v = R.sum(w)
            h0 = R.sum(x)
            h = R.add(h0, v)
            y = R.add(g, h)
            R.output(y)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor(("k", 4), dtype="float32"), R.Tensor(("j", 4), dtype="float32"))) -> R.Tuple(R.Shape(["k"]), R.Tensor(("k * 4",), dtype="float32"), R.Tensor((), dtype="float32")):
        k = T.int64()
        j = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            u: R.Tensor((k, 4), dtype="float32") = model_params[0]
            f: R.Tensor((k * 4,), dtype="float32") = R.reshape(u, R.shape([k * 4]))
            g: R.Tensor((k * 4,), dtype="float32") = R.exp(f)
            w: R.Tensor((j, 4), dtype="float32") = model_params[1]
            v: R.Tensor((), dtype="float32") = R.sum(w, axis=None, keepdims=False)
            output_tuple: R.Tuple(R.Shape([k]), R.Tensor((k * 4,), dtype="float32"), R.Tensor((), dtype="float32")) = R.shape([k]), g, v
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), vars_from_compile_time_params: R.Shape(["k"]), g: R.Tensor(("k * 4",), dtype="float32"), v: R.Tensor((), dtype="float32")) -> R.Tensor(("k * 4",), dtype="float32"):
        k = T.int64()
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            h0: R.Tensor((), dtype="float32") = R.sum(x, axis=None, keepdims=False)
            h: R.Tensor((), dtype="float32") = R.add(h0, v)
            y: R.Tensor((k * 4,), dtype="float32") = R.add(g, h)
            R.output(y)
        return y
