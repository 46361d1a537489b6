# A value nobody uses.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.exp(A[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), "float32"))
            c = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), "float32"))
            d = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), "float32"))
            R.output(c)
        return (c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = T.exp(A[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            c = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            d = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(c)
        return c
