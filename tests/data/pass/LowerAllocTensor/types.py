# Types of one to eight bytes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float64"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.builtin.alloc_tensor(R.shape([n]), R.dtype("int8"), R.prim_value(0), R.str("global"))
        b = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        c = R.builtin.alloc_tensor(R.shape([n, 3]), R.dtype("int32"), R.prim_value(0), R.str("global"))
        d = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float64"), R.prim_value(0), R.str("global"))
        e = R.builtin.alloc_tensor(R.shape([n]), R.dtype("uint8"), R.prim_value(0), R.str("global"))
        f = R.builtin.alloc_tensor(R.shape([n]), R.dtype("bfloat16"), R.prim_value(0), R.str("global"))
        g = R.builtin.alloc_tensor(R.shape([n]), R.dtype("int64"), R.prim_value(0), R.str("global"))
        h = R.builtin.alloc_tensor(R.shape([n]), R.dtype("bool"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", x, a, b, c, d, e, f, g, h)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float64"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((n,), dtype="int8") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("int8"), R.prim_value(0))
        storage1: R.Object = R.memory.alloc_storage(R.shape([2 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((n,), dtype="float16") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n]), R.dtype("float16"), R.prim_value(0))
        storage2: R.Object = R.memory.alloc_storage(R.shape([4 * n * 3]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        c: R.Tensor((n, 3), dtype="int32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([n, 3]), R.dtype("int32"), R.prim_value(0))
        storage3: R.Object = R.memory.alloc_storage(R.shape([8 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        d: R.Tensor((n,), dtype="float64") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([n]), R.dtype("float64"), R.prim_value(0))
        storage4: R.Object = R.memory.alloc_storage(R.shape([n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        e: R.Tensor((n,), dtype="uint8") = R.memory.alloc_tensor(storage4, R.prim_value(0), R.shape([n]), R.dtype("uint8"), R.prim_value(0))
        storage5: R.Object = R.memory.alloc_storage(R.shape([2 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        f: R.Tensor((n,), dtype="bfloat16") = R.memory.alloc_tensor(storage5, R.prim_value(0), R.shape([n]), R.dtype("bfloat16"), R.prim_value(0))
        storage6: R.Object = R.memory.alloc_storage(R.shape([8 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        g: R.Tensor((n,), dtype="int64") = R.memory.alloc_tensor(storage6, R.prim_value(0), R.shape([n]), R.dtype("int64"), R.prim_value(0))
        storage7: R.Object = R.memory.alloc_storage(R.shape([n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        h: R.Tensor((n,), dtype="bool") = R.memory.alloc_tensor(storage7, R.prim_value(0), R.shape([n]), R.dtype("bool"), R.prim_value(0))
        _: R.Object = R.call_packed("k", x, a, b, c, d, e, f, g, h)
        return d
