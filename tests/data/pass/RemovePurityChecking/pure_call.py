# A pure external call becomes a plain one; the function says that it is pure.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        y = R.call_pure_packed("ext.norm", x, sinfo_args=(R.Tensor((n,), "float32"),))
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        y: R.Tensor((n,), dtype="float32") = R.call_packed("ext.norm", x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return y
