# A result in the middle ends a group.
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
    def fused_ew_ew(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tuple(R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_ew(x)
            gv1: R.Tensor((n, 16), dtype="float32") = cls.fused_ew_ew(gv)
            R.output(gv, gv1)
        return (gv, gv1)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_ew_ew(p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(16)))
        B_intermediate_1 = T.match_buffer(p_output0, (n, T.int64(16)))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(B_intermediate[vi, vj])
                B_intermediate[vi, vj] = T.exp(x[vi, vj])
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew1"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B_intermediate[vi, vj])
                T.writes(B_intermediate_1[vi, vj])
                B_intermediate_1[vi, vj] = T.exp(B_intermediate[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tuple(R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.fused_ew_ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv1 = R.call_tir(cls.fused_ew_ew, (gv,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv, gv1)
        return (gv, gv1)
