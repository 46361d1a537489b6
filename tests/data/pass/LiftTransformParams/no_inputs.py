# DIFFERS: TVM's function without inputs returns a name that nothing binds
# OTHER ARGUMENTS
# All parameters are weights, and nothing is left to do.
@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((8, "k"), "float32"), u: R.Tensor((8, "k"), "float32")) -> R.Tensor((8, "k"), "float32"):
        k = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            a = R.add(w, u)
            b = R.exp(a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, "k"), dtype="float32"), R.Tensor((8, "k"), dtype="float32"))) -> R.Tuple:
        k = T.int64()
        R.func_attr({"num_input": 0})
        return R.tuple()

    @R.function
    def main() -> R.Tensor((8, "k"), dtype="float32"):
        k = T.int64()
        R.func_attr({"num_input": 0})
        k_1 = T.int64()
        b: R.Tensor((8, k_1), dtype="float32")
        return b
