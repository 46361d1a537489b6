# RUN: relax opt --pass RemovePurityChecking %s
# Pure external calls become plain ones; a pure function says that it is to be taken for pure, an impure one stays.
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        a = R.call_pure_packed("ext.norm", y, R.prim_value(k), sinfo_args=(R.Tensor((k,), "float32"),))
        return a
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        _ = R.print(x, format="{}")
        y = cls.helper(x)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(y: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        a: R.Tensor((k,), dtype="float32") = R.call_packed("ext.norm", y, R.prim_value(k), sinfo_args=(R.Tensor((k,), dtype="float32"),))
        return a

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        R.print(x, format="{}")
        y: R.Tensor((n,), dtype="float32") = cls.helper(x)
        return y
