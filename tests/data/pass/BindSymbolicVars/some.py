# Not all symbols of a function.
# PASS: BindSymbolicVars:binding_map={m: 4}
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("m", "k"), "float32")):
        with R.dataflow():
            a = R.matmul(x, y)
            b = R.exp(a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor((4, "k"), dtype="float32")) -> R.Tensor(("n", "k"), dtype="float32"):
        n = T.int64()
        k = T.int64()
        with R.dataflow():
            a: R.Tensor((n, k), dtype="float32") = R.matmul(x, y, out_dtype="void")
            b: R.Tensor((n, k), dtype="float32") = R.exp(a)
            R.output(b)
        return b
