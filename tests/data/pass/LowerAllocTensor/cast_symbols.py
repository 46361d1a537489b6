# Symbols that a cast defines halfway.
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
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        u: R.Tensor(dtype="float32", ndim=1) = R.call_packed("unique", y, sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        v = R.match_cast(u, R.Tensor((m,), "float32"))
        a = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(v, a)
        b = R.builtin.alloc_tensor(R.shape([n, m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", a, b)
        return a
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
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        m = T.int64()
        cls = Module
        u: R.Tensor(dtype="float32", ndim=1) = R.call_packed("unique", y, sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        v: R.Tensor((m,), dtype="float32") = R.match_cast(u, R.Tensor((m,), dtype="float32"))
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * m]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((m,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m]), R.dtype("float32"), R.prim_value(0))
        cls.inc(v, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * n * m]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((n, m), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, m]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("k", a, b)
        return a
