# Casts in and between dataflow blocks.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a = R.match_cast(x, R.Tensor((n, m), "float32"))
            R.output(a)
        with R.dataflow():
            b = R.exp(a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a: R.Tensor((n, m), dtype="float32") = R.match_cast(x, R.Tensor((n, m), dtype="float32"))
            b: R.Tensor((n, m), dtype="float32") = R.exp(a)
            R.output(a, b)
        return b
