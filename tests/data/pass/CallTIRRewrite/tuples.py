# Several results of other types, taken apart, passed on whole, returned nested.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def parts(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n, T.int64(4)))
        y = T.match_buffer(b, (n, T.int64(2)))
        z = T.match_buffer(c, (n, T.int64(2)), "float16")
        for i, j in T.grid(n, T.int64(2)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj]
                z[vi, vj] = T.Cast("float16", x[vi, vj + T.int64(2)])

    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        x = T.match_buffer(a, (n, m))
        y = T.match_buffer(b, (n, m))
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tuple(R.Tuple(R.Tensor(("n", 2), "float32"), R.Tensor(("n", 2), "float16")), R.Tensor(("n", 2), "float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_tir(cls.parts, (x,), out_sinfo=[R.Tensor((n, 2), "float32"), R.Tensor((n, 2), "float16")])
        b = a[0]
        c = R.call_tir(cls.twice, (b,), out_sinfo=R.Tensor((n, 2), "float32"))
        d = (a, c)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def parts(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n, T.int64(4)))
        y = T.match_buffer(b, (n, T.int64(2)))
        z = T.match_buffer(c, (n, T.int64(2)), "float16")
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(2)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj:vj + T.int64(3)])
                T.writes(y[vi, vj], z[vi, vj])
                y[vi, vj] = x[vi, vj]
                z[vi, vj] = T.Cast("float16", x[vi, vj + T.int64(2)])

    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.handle, b: T.handle):
        n, m = T.int64(), T.int64()
        x = T.match_buffer(a, (n, m))
        y = T.match_buffer(b, (n, m))
        # with T.sblock("root"):
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = x[vi, vj] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor(("n", 2), dtype="float32"), R.Tensor(("n", 2), dtype="float16")), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc: R.Tensor((n, 2), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 2]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 2), dtype="float32"),))
        alloc1: R.Tensor((n, 2), dtype="float16") = R.builtin.alloc_tensor(R.shape([n, 2]), R.dtype("float16"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 2), dtype="float16"),))
        cls.parts(x, alloc, alloc1)
        a: R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float16")) = alloc, alloc1
        b: R.Tensor((n, 2), dtype="float32") = a[0]
        alloc2: R.Tensor((n, 2), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 2]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 2), dtype="float32"),))
        cls.twice(b, alloc2)
        c: R.Tensor((n, 2), dtype="float32") = alloc2
        d: R.Tuple(R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float16")), R.Tensor((n, 2), dtype="float32")) = a, c
        return d
