# PASS: BindParams:func_name=main;params={s: %S/s.npy}
# OTHER ARGUMENTS
# A tensor without dims.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), s: R.Tensor((), "float32")):
        n = T.int64()
        m = T.int64()
        a = R.multiply(x, s)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        a: R.Tensor((n, m), dtype="float32") = R.multiply(x, R.const(2.5, "float32"))
        return a
