# Groups of at most three calls.
# PASS: FuseOps:max_depth=3
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
            d = R.call_tir(cls.ew, (c,), out_sinfo=R.Tensor((n, 16), "float32"))
            e = R.call_tir(cls.ew, (d,), out_sinfo=R.Tensor((n, 16), "float32"))
            f = R.call_tir(cls.ew, (e,), out_sinfo=R.Tensor((n, 16), "float32"))
            g = R.call_tir(cls.ew, (f,), out_sinfo=R.Tensor((n, 16), "float32"))
            h = R.call_tir(cls.ew, (g,), out_sinfo=R.Tensor((n, 16), "float32"))
            R.output(h)
        return (h)
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

    @R.function(private=True)
    def fused_ew_ew_ew(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            c = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (c,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_ew_ew(x)
            lv1: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_ew_ew(lv)
            h = R.call_tir(cls.ew, (lv1,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(h)
        return h
