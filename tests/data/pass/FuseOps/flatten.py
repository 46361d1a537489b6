# Shapes that are computed: n * 16 inside of a group.
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

    @T.prim_func(private=True, s_tir=True)
    def flat(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n * T.int64(16),))
        for i in range(n * T.int64(16)):
            with T.sblock("flat"):
                vi = T.axis.spatial(n * T.int64(16), i)
                B[vi] = A[vi // T.int64(16), vi % T.int64(16)]

    @T.prim_func(private=True, s_tir=True)
    def unflat(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n * T.int64(16),))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("unflat"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi * T.int64(16) + vj]

    @R.function
    def main(x: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), "float32"))
            c = R.call_tir(cls.flat, (a,), out_sinfo=R.Tensor((n * 16,), "float32"))
            d = R.call_tir(cls.unflat, (c,), out_sinfo=R.Tensor((n, 16), "float32"))
            e = R.call_tir(cls.ew, (d,), out_sinfo=R.Tensor((n, 16), "float32"))
            R.output(e)
        return (e)
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

    @T.prim_func(private=True, s_tir=True)
    def flat(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n * T.int64(16),))
        # with T.sblock("root"):
        for i in range(n * T.int64(16)):
            with T.sblock("flat"):
                vi = T.axis.spatial(n * T.int64(16), i)
                T.reads(A[vi // T.int64(16), vi % T.int64(16)])
                T.writes(B[vi])
                B[vi] = A[vi // T.int64(16), vi % T.int64(16)]

    @T.prim_func(private=True, s_tir=True)
    def unflat(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n * T.int64(16),))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("unflat"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi * T.int64(16) + vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi * T.int64(16) + vj]

    @R.function(private=True)
    def fused_ew_flat_unflat_ew(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            c = R.call_tir(cls.flat, (a,), out_sinfo=R.Tensor((n * 16,), dtype="float32"))
            d = R.call_tir(cls.unflat, (c,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (d,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_flat_unflat_ew(x)
            R.output(gv)
        return gv
