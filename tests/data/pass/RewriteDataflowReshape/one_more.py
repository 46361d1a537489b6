# A dimension of one is added.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4),), "float32")
        b = T.match_buffer(var_b, (n, T.int64(1), T.int64(4),), "float32")
        for i0, i1, i2 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("b"):
                vi0, vi1, vi2 = T.axis.remap("SSS", [i0, i1, i2])
                b[vi0, vi1, vi2] = a[vi0, vi2]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            c = R.add(x, x)
            r = R.call_tir(cls.copy, (c,), out_sinfo=R.Tensor((n, 1, 4), "float32"))
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
        b = T.match_buffer(var_b, (n, T.int64(1), T.int64(4)))
        # with T.sblock("root"):
        for i0, i1, i2 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("b"):
                vi0, vi1, vi2 = T.axis.remap("SSS", [i0, i1, i2])
                T.reads(a[vi0, vi2])
                T.writes(b[vi0, vi1, vi2])
                b[vi0, vi1, vi2] = a[vi0, vi2]

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 1, 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            c: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            r: R.Tensor((n, 1, 4), dtype="float32") = R.reshape(c, R.shape([n, 1, 4]))
            o: R.Tensor((n, 1, 4), dtype="float32") = R.exp(r)
            R.output(o)
        return o
