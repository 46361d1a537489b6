# Sizes that are equal by proof share; others do not, whatever the bounds are not.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("f", x, a)
        b = R.builtin.alloc_tensor(R.shape([n * m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Object = R.call_packed("f", a, b)
        c = R.builtin.alloc_tensor(R.shape([m, n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _2: R.Object = R.call_packed("f", b, c)
        d = R.builtin.alloc_tensor(R.shape([n, m, 1]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _3: R.Object = R.call_packed("f", c, d)
        e = R.builtin.alloc_tensor(R.shape([2, n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, e)
        g = R.builtin.alloc_tensor(R.shape([n + n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _5: R.Object = R.call_packed("f", e, g)
        r = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, r)
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * (n * m)]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n, m), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, m]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("f", x, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * (n * m)]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((n * m,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n * m]), R.dtype("float32"), R.prim_value(0))
        _1: R.Object = R.call_packed("f", a, b)
        c: R.Tensor((m, n), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, n]), R.dtype("float32"), R.prim_value(0))
        _2: R.Object = R.call_packed("f", b, c)
        d: R.Tensor((n, m, 1), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, m, 1]), R.dtype("float32"), R.prim_value(0))
        _3: R.Object = R.call_packed("f", c, d)
        storage2: R.Object = R.memory.alloc_storage(R.shape([8 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        e: R.Tensor((2, n), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([2, n]), R.dtype("float32"), R.prim_value(0))
        _4: R.Object = R.call_packed("f", d, e)
        storage3: R.Object = R.memory.alloc_storage(R.shape([4 * (n + n)]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        g: R.Tensor((n + n,), dtype="float32") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([n + n]), R.dtype("float32"), R.prim_value(0))
        _5: R.Object = R.call_packed("f", e, g)
        r: R.Tensor((n, m), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, r)
        return r
