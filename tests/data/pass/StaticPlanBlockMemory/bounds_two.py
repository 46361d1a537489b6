# DIFFERS: TVM takes the bound of n in n * k too; where no bound makes the size a constant, ours is what the run needs
# Bounds of two symbols, one with none; sizes that are products and quotients.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                y[vi] = x[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", "m", "k"), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True, "tir_var_upper_bound": {"n": 8, "m": 6}})
        a = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("f", x, a)
        b = R.builtin.alloc_tensor(R.shape([n * m + 2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Object = R.call_packed("f", a, b)
        c = R.builtin.alloc_tensor(R.shape([(n + 1) // 2, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _2: R.Object = R.call_packed("f", b, c)
        d = R.builtin.alloc_tensor(R.shape([n, k]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _3: R.Object = R.call_packed("f", c, d)
        e = R.builtin.alloc_tensor(R.shape([n, k]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, e)
        g = R.builtin.alloc_tensor(R.shape([k, n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _5: R.Object = R.call_packed("f", e, g)
        r = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, r)
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor(("n", "m", "k"), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True, "tir_var_upper_bound": {"m": 6, "n": 8}})
        storage: R.Object = R.memory.alloc_storage(R.shape([192]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n, m), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, m]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("f", x, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([200]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((n * m + 2,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n * m + 2]), R.dtype("float32"), R.prim_value(0))
        _1: R.Object = R.call_packed("f", a, b)
        c: R.Tensor(((n + 1) // 2, m), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([(n + 1) // 2, m]), R.dtype("float32"), R.prim_value(0))
        _2: R.Object = R.call_packed("f", b, c)
        storage2: R.Object = R.memory.alloc_storage(R.shape([32 * k]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        d: R.Tensor((n, k), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([n, k]), R.dtype("float32"), R.prim_value(0))
        _3: R.Object = R.call_packed("f", c, d)
        storage3: R.Object = R.memory.alloc_storage(R.shape([32 * k]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        e: R.Tensor((n, k), dtype="float32") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([n, k]), R.dtype("float32"), R.prim_value(0))
        _4: R.Object = R.call_packed("f", d, e)
        g: R.Tensor((k, n), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([k, n]), R.dtype("float32"), R.prim_value(0))
        _5: R.Object = R.call_packed("f", e, g)
        r: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, r)
        return r
