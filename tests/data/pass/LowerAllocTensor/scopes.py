# Other devices and memory scopes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(1), R.str("global"))
        b = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float16"), R.prim_value(0), R.str("shared"))
        c = R.builtin.alloc_tensor(R.shape([8]), R.dtype("int8"), R.prim_value(2), R.str("global.vtcm"))
        _: R.Object = R.call_packed("k", x, a, b, c)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(1), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(1))
        storage1: R.Object = R.memory.alloc_storage(R.shape([2 * n * 4]), R.prim_value(0), R.str("shared"), R.dtype("uint8"))
        b: R.Tensor((n, 4), dtype="float16") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, 4]), R.dtype("float16"), R.prim_value(0))
        storage2: R.Object = R.memory.alloc_storage(R.shape([8]), R.prim_value(2), R.str("global.vtcm"), R.dtype("uint8"))
        c: R.Tensor((8,), dtype="int8") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([8]), R.dtype("int8"), R.prim_value(2))
        _: R.Object = R.call_packed("k", x, a, b, c)
        return a
