# Casts are pure.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=1, dtype="float32")):
        m = T.int64()
        a = R.match_cast(x, R.Tensor((m,), "float32"))
        b = R.exp(a)
        c = R.exp(b)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        m = T.int64()
        with R.dataflow():
            a: R.Tensor((m,), dtype="float32") = R.match_cast(x, R.Tensor((m,), dtype="float32"))
            b: R.Tensor((m,), dtype="float32") = R.exp(a)
            c: R.Tensor((m,), dtype="float32") = R.exp(b)
            R.output(c)
        return c
