# Transposes, alone and with elementwise calls.
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
    def rt(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (T.int64(16), n))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("rt"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vj, vi]

    @T.prim_func(private=True, s_tir=True)
    def tr(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (T.int64(16), n))
        for i, j in T.grid(T.int64(16), n):
            with T.sblock("tr"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vj, vi]

    @R.function
    def main(x: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), "float32"))
            t = R.call_tir(cls.tr, (a,), out_sinfo=R.Tensor((16, n), "float32"))
            u = R.call_tir(cls.rt, (t,), out_sinfo=R.Tensor((n, 16), "float32"))
            c = R.call_tir(cls.ew, (u,), out_sinfo=R.Tensor((n, 16), "float32"))
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

    @T.prim_func(private=True, s_tir=True)
    def rt(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (T.int64(16), n))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("rt"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vj, vi])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vj, vi]

    @T.prim_func(private=True, s_tir=True)
    def tr(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (T.int64(16), n))
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(16), n):
            with T.sblock("tr"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vj, vi])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vj, vi]

    @R.function(private=True)
    def fused_ew_tr_rt_ew(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            t = R.call_tir(cls.tr, (a,), out_sinfo=R.Tensor((16, n), dtype="float32"))
            u = R.call_tir(cls.rt, (t,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (u,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_tr_rt_ew(x)
            R.output(gv)
        return gv
