# Effects stay, with what they need.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        a = R.exp(x)
        f = R.call_packed("foo", a, sinfo_args=(R.Tensor(ndim=1),))
        g = R.call_pure_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        h = R.exp(x)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(x)
        f: R.Tensor(ndim=1) = R.call_packed("foo", a, sinfo_args=(R.Tensor(ndim=1),))
        return x
