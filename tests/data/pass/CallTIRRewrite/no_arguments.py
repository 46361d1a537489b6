# No inputs, results nobody uses, a call as the last thing of a function, a call of a function of the graph.
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

    @R.function(private=True)
    def sub(x: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        y = R.call_tir(cls.inc, (x,), out_sinfo=R.Tensor((m,), "float32"))
        return y

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_dps_packed("my.random", R.tuple(), out_sinfo=R.Tensor((n, 2), "float32"))
        b = R.call_tir(cls.inc, (x,), out_sinfo=R.Tensor((n,), "float32"))
        c = cls.sub(x)
        d = R.call_tir(cls.inc, (c,), out_sinfo=R.Tensor((n,), "float32"))
        return d
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

    @R.function(private=True)
    def sub(x: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((m,), dtype="float32"),))
        cls.inc(x, alloc)
        y: R.Tensor((m,), dtype="float32") = alloc
        return y

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc1: R.Tensor((n, 2), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 2]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 2), dtype="float32"),))
        _1: R.Object = R.call_packed("my.random", alloc1)
        a: R.Tensor((n, 2), dtype="float32") = alloc1
        alloc2: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(x, alloc2)
        b: R.Tensor((n,), dtype="float32") = alloc2
        c: R.Tensor((n,), dtype="float32") = cls.sub(x)
        alloc3: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(c, alloc3)
        d: R.Tensor((n,), dtype="float32") = alloc3
        return d
