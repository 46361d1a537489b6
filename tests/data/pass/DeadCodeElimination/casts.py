# A cast that nobody uses stays: it defines symbols and checks.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            u = R.match_cast(y, R.Tensor((m,), "float32"))
            w = R.match_cast(y, R.Tensor((k,), "float32"))
            z = R.exp(u)
            v = R.exp(w)
            R.output(z, v)
        a = R.match_cast(x, R.Tensor((n,), "float32"))
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            u: R.Tensor((m,), dtype="float32") = R.match_cast(y, R.Tensor((m,), dtype="float32"))
            w: R.Tensor((k,), dtype="float32") = R.match_cast(y, R.Tensor((k,), dtype="float32"))
            z: R.Tensor((m,), dtype="float32") = R.exp(u)
            R.output(z)
        a: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        return z
