# RUN: relax opt --pass "LiftTransformParams:bound=true;inputs=true" %s | tee out.py | relax check - && cat out.py
# Weights that the caller gives: the function stays, the two beside it share no symbols with it. A view alone is not
# worth it, nor what is larger than its weight.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor((8, "k"), "float32")):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1, "tir_var_upper_bound": {"n": 64}})
        with R.dataflow():
            wt = R.permute_dims(w)
            y = R.matmul(x, wt)
            R.output(y)
        return y

    @R.function
    def views(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32"), g: R.Tensor((4,), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            flat = R.reshape(w, R.shape([16]))
            back = R.reshape(flat, R.shape([4, 4]))
            large = R.broadcast_to(g, R.shape([4, 4]))
            y = R.matmul(x, large)
            u = R.matmul(y, back)
            R.output(u)
        return u
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), dtype="float32"), w: R.Tensor((8, "k"), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1, "tir_var_upper_bound": {"n": 64}})
        with R.dataflow():
            wt: R.Tensor((k, 8), dtype="float32") = R.permute_dims(w, axes=None)
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def views(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), g: R.Tensor((4,), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            flat: R.Tensor((16,), dtype="float32") = R.reshape(w, R.shape([16]))
            back: R.Tensor((4, 4), dtype="float32") = R.reshape(flat, R.shape([4, 4]))
            large: R.Tensor((4, 4), dtype="float32") = R.broadcast_to(g, R.shape([4, 4]))
            y: R.Tensor((n, 4), dtype="float32") = R.matmul(x, large, out_dtype="void")
            u: R.Tensor((n, 4), dtype="float32") = R.matmul(y, back, out_dtype="void")
            R.output(u)
        return u

    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, "k"), dtype="float32"))) -> R.Tuple(R.Tensor(("k", 8), dtype="float32")):
        k = T.int64()
        R.func_attr({"num_input": 0, "rx.made_for": "main"})
        with R.dataflow():
            w: R.Tensor((8, k), dtype="float32") = model_params[0]
            wt: R.Tensor((k, 8), dtype="float32") = R.permute_dims(w, axes=None)
            output_tuple: R.Tuple(R.Tensor((k, 8), dtype="float32")) = (wt,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main_transformed(x: R.Tensor(("n", "k"), dtype="float32"), wt: R.Tensor(("k", 8), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1, "tir_var_upper_bound": {"n": 64}, "rx.made_for": "main", "rx.takes_results_of": "main_transform_params"})
        with R.dataflow():
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            R.output(y)
        return y
