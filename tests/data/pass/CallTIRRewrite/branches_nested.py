# An if inside an if, tuples as their results, symbols that a cast inside defines.
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
    def main(c: R.Tensor((), "bool"), d: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32"), w: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if c:
            v = R.match_cast(w, R.Tensor((m,), "float32"))
            if d:
                a = R.call_tir(cls.inc, (v,), out_sinfo=R.Tensor((m,), "float32"))
                y: R.Tensor(dtype="float32", ndim=1) = a
            else:
                b = R.call_tir(cls.inc, (x,), out_sinfo=R.Tensor((n,), "float32"))
                y: R.Tensor(dtype="float32", ndim=1) = b
            z: R.Tensor(dtype="float32", ndim=1) = y
        else:
            z: R.Tensor(dtype="float32", ndim=1) = w
        return z
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
    def main(c: R.Tensor((), dtype="bool"), d: R.Tensor((), dtype="bool"), x: R.Tensor(("n",), dtype="float32"), w: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        m = T.int64()
        cls = Module
        if c:
            v: R.Tensor((m,), dtype="float32") = R.match_cast(w, R.Tensor((m,), dtype="float32"))
            if d:
                alloc: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((m,), dtype="float32"),))
                cls.inc(v, alloc)
                a: R.Tensor((m,), dtype="float32") = alloc
                y: R.Tensor(dtype="float32", ndim=1) = a
            else:
                alloc1: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
                cls.inc(x, alloc1)
                b: R.Tensor((n,), dtype="float32") = alloc1
                y: R.Tensor(dtype="float32", ndim=1) = b
            z: R.Tensor(dtype="float32", ndim=1) = y
        else:
            z: R.Tensor(dtype="float32", ndim=1) = w
        return z
