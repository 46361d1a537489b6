# Dims that are expressions of symbols; types other than float32; a scalar tensor.
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
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tuple(R.Tensor(("n * m + 1",), "int8"), R.Tensor((), "float16"), R.Tensor(("(n + 3) // 4", 2, "m"), "bool")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_dps_packed("my.a", (x,), out_sinfo=R.Tensor((n * m + 1,), "int8"))
        b = R.call_dps_packed("my.b", (x, a), out_sinfo=R.Tensor((), "float16"))
        c = R.call_dps_packed("my.c", (b,), out_sinfo=R.Tensor(((n + 3) // 4, 2, m), "bool"))
        return (a, b, c)
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
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tuple(R.Tensor(("n * m + 1",), dtype="int8"), R.Tensor((), dtype="float16"), R.Tensor(("(n + 3) // 4", 2, "m"), dtype="bool")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        alloc: R.Tensor((n * m + 1,), dtype="int8") = R.builtin.alloc_tensor(R.shape([n * m + 1]), R.dtype("int8"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n * m + 1,), dtype="int8"),))
        _: R.Object = R.call_packed("my.a", x, alloc)
        a: R.Tensor((n * m + 1,), dtype="int8") = alloc
        alloc1: R.Tensor((), dtype="float16") = R.builtin.alloc_tensor(R.shape([]), R.dtype("float16"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((), dtype="float16"),))
        _1: R.Object = R.call_packed("my.b", x, a, alloc1)
        b: R.Tensor((), dtype="float16") = alloc1
        alloc2: R.Tensor(((n + 3) // 4, 2, m), dtype="bool") = R.builtin.alloc_tensor(R.shape([(n + 3) // 4, 2, m]), R.dtype("bool"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor(((n + 3) // 4, 2, m), dtype="bool"),))
        _2: R.Object = R.call_packed("my.c", b, alloc2)
        c: R.Tensor(((n + 3) // 4, 2, m), dtype="bool") = alloc2
        return (a, b, c)
