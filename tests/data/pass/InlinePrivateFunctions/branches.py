# A body with an if.
# DIFFERS: TVM forgets the dims of what the if gives, ours keep them
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("k",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("k",), "float32"):
        if c:
            r = R.exp(z)
        else:
            r = z
        return r

    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        d = cls.sub(x, c)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        if c:
            r_then: R.Tensor((n,), dtype="float32") = R.exp(x)
            then_branch_with_dyn: R.Tensor(dtype="float32", ndim=1) = R.match_cast(r_then, R.Tensor(dtype="float32", ndim=1))
            r: R.Tensor(dtype="float32", ndim=1) = then_branch_with_dyn
        else:
            r: R.Tensor(dtype="float32", ndim=1) = x
        return r
