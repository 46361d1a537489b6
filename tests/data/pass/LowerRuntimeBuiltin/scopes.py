# Devices and memory scopes are kept.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        s: R.Object = R.memory.alloc_storage(R.shape([n * 4]), R.prim_value(1), R.str("shared"), R.dtype("uint8"))
        a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(1))
        _: R.Object = R.call_packed("k", x, a)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        s: R.Object = R.vm.alloc_storage(R.shape([n * 4]), R.prim_value(1), R.dtype("uint8"), R.str("shared"))
        a: R.Tensor((n,), dtype="float32") = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(1))
        _: R.Object = R.call_packed("k", x, a)
        return a
