# A cast that says less, or that cannot be decided, stays.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(ndim=2)):
        n = T.int64()
        k = T.int64()
        a = R.match_cast(x, R.Tensor((n, 4)))
        b = R.match_cast(x, R.Tensor(dtype="float32", ndim=2))
        c = R.match_cast(y, R.Tensor((n, k), "float32"))
        d = R.match_cast(c, R.Tensor((n, k), "float32"))
        return (a, b, c, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(ndim=2)) -> R.Tuple(R.Tensor(("n", 4)), R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2)):
        n = T.int64()
        k = T.int64()
        a: R.Tensor((n, 4)) = R.match_cast(x, R.Tensor((n, 4)))
        b: R.Tensor(dtype="float32", ndim=2) = R.match_cast(x, R.Tensor(dtype="float32", ndim=2))
        c: R.Tensor((n, k), dtype="float32") = R.match_cast(y, R.Tensor((n, k), dtype="float32"))
        return (a, b, c, c)
