# An unused if goes, unless a branch has an effect.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        if c:
            d = R.exp(x)
            e = R.exp(d)
        else:
            d = R.negative(x)
            e = R.exp(d)
        if c:
            i = R.exp(x)
            p = R.call_packed("foo", i, sinfo_args=(R.Tensor(ndim=1),))
            j = R.exp(i)
        else:
            k = R.exp(x)
            j = R.negative(x)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        if c:
            i: R.Tensor((n,), dtype="float32") = R.exp(x)
            p: R.Tensor(ndim=1) = R.call_packed("foo", i, sinfo_args=(R.Tensor(ndim=1),))
            j_then: R.Tensor((n,), dtype="float32") = R.exp(i)
            j: R.Tensor((n,), dtype="float32") = j_then
        else:
            j_else: R.Tensor((n,), dtype="float32") = R.negative(x)
            j: R.Tensor((n,), dtype="float32") = j_else
        return x
