# Sizes: constants, symbols, products and quotients of them, a scalar, an empty tensor.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.builtin.alloc_tensor(R.shape([4, 8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        c = R.builtin.alloc_tensor(R.shape([n * m + 1]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        d = R.builtin.alloc_tensor(R.shape([(n + 3) // 4, 2, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        e = R.builtin.alloc_tensor(R.shape([]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        f = R.builtin.alloc_tensor(R.shape([0, n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        g = R.builtin.alloc_tensor(R.shape([n, n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", x, a, b, c, d, e, f, g)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([128]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((4, 8), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4, 8]), R.dtype("float32"), R.prim_value(0))
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * n * m]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((n, m), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, m]), R.dtype("float32"), R.prim_value(0))
        storage2: R.Object = R.memory.alloc_storage(R.shape([4 * (n * m + 1)]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        c: R.Tensor((n * m + 1,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([n * m + 1]), R.dtype("float32"), R.prim_value(0))
        storage3: R.Object = R.memory.alloc_storage(R.shape([4 * ((n + 3) // 4) * 2 * m]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        d: R.Tensor(((n + 3) // 4, 2, m), dtype="float32") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([(n + 3) // 4, 2, m]), R.dtype("float32"), R.prim_value(0))
        storage4: R.Object = R.memory.alloc_storage(R.shape([4]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        e: R.Tensor((), dtype="float32") = R.memory.alloc_tensor(storage4, R.prim_value(0), R.shape([]), R.dtype("float32"), R.prim_value(0))
        storage5: R.Object = R.memory.alloc_storage(R.shape([0]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        f: R.Tensor((0, n), dtype="float32") = R.memory.alloc_tensor(storage5, R.prim_value(0), R.shape([0, n]), R.dtype("float32"), R.prim_value(0))
        storage6: R.Object = R.memory.alloc_storage(R.shape([4 * n * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        g: R.Tensor((n, n), dtype="float32") = R.memory.alloc_tensor(storage6, R.prim_value(0), R.shape([n, n]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("k", x, a, b, c, d, e, f, g)
        return b
