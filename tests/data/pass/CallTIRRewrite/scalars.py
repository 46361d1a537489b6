# Scalars go last; one is computed of symbols, one with a library call beside it.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shift(a: T.handle, b: T.handle, k: T.int64):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                y[vi] = x[vi] + T.Cast("float32", k)

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
    def main(x: R.Tensor(("n",), "float32"), s: R.Shape(["k", "j"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        k = T.int64()
        j = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_tir(cls.shift, (x,), out_sinfo=R.Tensor((n,), "float32"), tir_vars=R.shape([k]))
        b = R.call_tir(cls.shift, (a,), out_sinfo=R.Tensor((n,), "float32"), tir_vars=R.shape([k * 2 + j]))
        c = R.call_tir(cls.inc, (b,), out_sinfo=R.Tensor((n,), "float32"))
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

    @T.prim_func(private=True, s_tir=True)
    def shift(a: T.handle, b: T.handle, k: T.int64):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.Cast("float32", k)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k", "j"])) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        j = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        R.vm.call_tir_dyn(cls.shift, (x, alloc, R.shape([k])))
        a: R.Tensor((n,), dtype="float32") = alloc
        alloc1: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        R.vm.call_tir_dyn(cls.shift, (a, alloc1, R.shape([k * 2 + j])))
        b: R.Tensor((n,), dtype="float32") = alloc1
        alloc2: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        cls.inc(b, alloc2)
        c: R.Tensor((n,), dtype="float32") = alloc2
        return c
