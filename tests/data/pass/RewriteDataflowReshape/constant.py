# Constant dims.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(var_a: T.handle, var_b: T.handle):
        a = T.match_buffer(var_a, (T.int64(6), T.int64(4),), "float32")
        b = T.match_buffer(var_b, (T.int64(3), T.int64(8),), "float32")
        for i0, i1 in T.grid(T.int64(3), T.int64(8)):
            with T.sblock("b"):
                vi0, vi1 = T.axis.remap("SS", [i0, i1])
                b[vi0, vi1] = a[(vi0 * T.int64(8) + vi1) // T.int64(4), (vi0 * T.int64(8) + vi1) % T.int64(4)]

    @R.function
    def main(x: R.Tensor((6, 4), "float32")):
        cls = Module
        with R.dataflow():
            c = R.add(x, x)
            r = R.call_tir(cls.copy, (c,), out_sinfo=R.Tensor((3, 8), "float32"))
            o = R.exp(r)
            R.output(o)
        return o
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(a: T.Buffer((T.int64(6), T.int64(4)), "float32"), b: T.Buffer((T.int64(3), T.int64(8)), "float32")):
        # with T.sblock("root"):
        for i0, i1 in T.grid(T.int64(3), T.int64(8)):
            with T.sblock("b"):
                vi0, vi1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[(vi0 * T.int64(8) + vi1) // T.int64(4), (vi0 * T.int64(8) + vi1) % T.int64(4)])
                T.writes(b[vi0, vi1])
                b[vi0, vi1] = a[(vi0 * T.int64(8) + vi1) // T.int64(4), (vi0 * T.int64(8) + vi1) % T.int64(4)]

    @R.function
    def main(x: R.Tensor((6, 4), dtype="float32")) -> R.Tensor((3, 8), dtype="float32"):
        with R.dataflow():
            c: R.Tensor((6, 4), dtype="float32") = R.add(x, x)
            r: R.Tensor((3, 8), dtype="float32") = R.reshape(c, R.shape([3, 8]))
            o: R.Tensor((3, 8), dtype="float32") = R.exp(r)
            R.output(o)
        return o
