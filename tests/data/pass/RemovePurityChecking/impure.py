# An impure function stays as it says.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        _ = R.print(x, format="{}")
        y = R.call_packed("ext.norm", x, sinfo_args=(R.Tensor((n,), "float32"),))
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.print(x, format=R.str("{}"))
        y: R.Tensor((n,), dtype="float32") = R.call_packed("ext.norm", x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return y
