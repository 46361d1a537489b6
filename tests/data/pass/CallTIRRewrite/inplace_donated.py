# A result in the place of a parameter, of a fresh tensor, of a view of it.
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
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_tir_inplace(cls.acc, (x, y), out_sinfo=R.Tensor((n,), "float32"), inplace_indices=[0])
        b = R.call_tir(cls.inc, (a,), out_sinfo=R.Tensor((n,), "float32"))
        c = R.call_tir_inplace(cls.acc, (b, y), out_sinfo=R.Tensor((n,), "float32"), inplace_indices=[0])
        v = R.reshape(c, R.shape([n]))
        d = R.call_tir_inplace(cls.acc, (v, a), out_sinfo=R.Tensor((n,), "float32"), inplace_indices=[0])
        return d
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
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        cls.acc(x, y)
        a: R.Tensor((n,), dtype="float32") = x
        alloc: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(a, alloc)
        b: R.Tensor((n,), dtype="float32") = alloc
        cls.acc(b, y)
        c: R.Tensor((n,), dtype="float32") = b
        v: R.Tensor((n,), dtype="float32") = R.reshape(c, R.shape([n]))
        cls.acc(v, a)
        d: R.Tensor((n,), dtype="float32") = v
        return d
