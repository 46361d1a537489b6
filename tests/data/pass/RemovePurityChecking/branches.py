# In the branches of an if.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        if c:
            a = R.call_pure_packed("ext.a", x, sinfo_args=(R.Tensor((n,), "float32"),))
            r = a
        else:
            b = R.call_pure_packed("ext.b", x, x, sinfo_args=(R.Tensor((n,), "float32"),))
            r = b
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        if c:
            a: R.Tensor((n,), dtype="float32") = R.call_packed("ext.a", x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
            r: R.Tensor(dtype="float32", ndim=1) = a
        else:
            b: R.Tensor((n,), dtype="float32") = R.call_packed("ext.b", x, x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
            r: R.Tensor(dtype="float32", ndim=1) = b
        return r
