# A transpose is no reshape.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4),), "float32")
        b = T.match_buffer(var_b, (T.int64(4), n,), "float32")
        for i0, i1 in T.grid(T.int64(4), n):
            with T.sblock("b"):
                vi0, vi1 = T.axis.remap("SS", [i0, i1])
                b[vi0, vi1] = a[vi1, vi0]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            c = R.add(x, x)
            r = R.call_tir(cls.copy, (c,), out_sinfo=R.Tensor((4, n), "float32"))
            o = R.exp(r)
            R.output(o)
        return o
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4)))
        b = T.match_buffer(var_b, (T.int64(4), n))
        # with T.sblock("root"):
        for i0, i1 in T.grid(T.int64(4), n):
            with T.sblock("b"):
                vi0, vi1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[vi1, vi0])
                T.writes(b[vi0, vi1])
                b[vi0, vi1] = a[vi1, vi0]

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((4, "n"), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            c: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            r = R.call_tir(cls.copy, (c,), out_sinfo=R.Tensor((4, n), dtype="float32"))
            o: R.Tensor((4, n), dtype="float32") = R.exp(r)
            R.output(o)
        return o
