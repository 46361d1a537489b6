# A call that gives a tuple, and a scalar argument.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor((), "float32")):
        n = T.int64()
        y = R.call_pure_packed("ext.norm", x, R.prim_value(3), sinfo_args=(R.Tuple(R.Tensor((n,), "float32"), R.Tensor((), "float32")),))
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor((), dtype="float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        y: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((), dtype="float32")) = R.call_packed("ext.norm", x, R.prim_value(3), sinfo_args=(R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((), dtype="float32")),))
        return y
