# Calls with effects stay, pure ones go.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32")):
        p1 = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        p2 = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        j = R.call_pure_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        j2 = R.call_pure_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        return (p1, p2, j, j2)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(ndim=1), R.Tensor(ndim=1), R.Tensor(ndim=1), R.Tensor(ndim=1)):
        n = T.int64()
        p1: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        p2: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        j: R.Tensor(ndim=1) = R.call_pure_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        j2: R.Tensor(ndim=1) = j
        return (p1, p2, j, j)
