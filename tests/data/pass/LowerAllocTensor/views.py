# Views of what is allocated, and results in the place of it.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def acc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                x[vi] = x[vi] + y[vi]

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
    def main(x: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 2), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        v = R.reshape(x, R.shape([n * 2]))
        a = R.builtin.alloc_tensor(R.shape([n * 2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(v, a)
        w = R.reshape(a, R.shape([n, 2]))
        b = R.builtin.alloc_tensor(R.shape([2 * n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        cls.acc(b, a)
        _: R.Object = R.call_packed("k", w, b)
        y = R.reshape(b, R.shape([n, 2]))
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def acc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi], y[vi])
                T.writes(x[vi])
                x[vi] = x[vi] + y[vi]

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
    def main(x: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        v: R.Tensor((n * 2,), dtype="float32") = R.reshape(x, R.shape([n * 2]))
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * (n * 2)]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((n * 2,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n * 2]), R.dtype("float32"), R.prim_value(0))
        cls.inc(v, a)
        w: R.Tensor((n, 2), dtype="float32") = R.reshape(a, R.shape([n, 2]))
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * (2 * n)]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((2 * n,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([2 * n]), R.dtype("float32"), R.prim_value(0))
        cls.inc(a, b)
        cls.acc(b, a)
        _: R.Object = R.call_packed("k", w, b)
        y: R.Tensor((n, 2), dtype="float32") = R.reshape(b, R.shape([n, 2]))
        return y
