# Arguments that are items of a tuple with a name and of one that is a parameter.
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
    def main(t: R.Tuple(R.Tensor(("n",), "float32")), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        u = (x,)
        a = R.call_tir(cls.inc, (u[0],), out_sinfo=R.Tensor((n,), "float32"))
        b = R.call_tir(cls.inc, (t[0],), out_sinfo=R.Tensor((n,), "float32"))
        c = R.call_dps_packed("my.add", (a, b), out_sinfo=R.Tensor((n,), "float32"))
        return c
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
    def main(t: R.Tuple(R.Tensor(("n",), dtype="float32")), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        u: R.Tuple(R.Tensor((n,), dtype="float32")) = (x,)
        gv1: R.Tensor((n,), dtype="float32") = u[0]
        alloc: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(gv1, alloc)
        a: R.Tensor((n,), dtype="float32") = alloc
        gv3: R.Tensor((n,), dtype="float32") = t[0]
        alloc1: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(gv3, alloc1)
        b: R.Tensor((n,), dtype="float32") = alloc1
        alloc2: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        _2: R.Object = R.call_packed("my.add", a, b, alloc2)
        c: R.Tensor((n,), dtype="float32") = alloc2
        return c
