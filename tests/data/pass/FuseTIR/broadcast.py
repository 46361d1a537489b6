# Broadcasts before an addition.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_A: T.handle, var_C: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        C = T.match_buffer(var_C, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj], C[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] + C[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def bc(C: T.Buffer((T.int64(16),), "float32"), var_B: T.handle):
        T.func_attr({"op_pattern": 1, "tirx.noalias": True})
        n = T.int64()
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("bc"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(C[vj])
                T.writes(B[vi, vj])
                B[vi, vj] = C[vj]

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
    def fused_bc_add_ew(b: R.Tensor((16,), dtype="float32"), x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            c = R.call_tir(cls.bc, (b,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            a = R.call_tir(cls.add, (x, c), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (a,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), b: R.Tensor((16,), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n, 16), dtype="float32") = cls.fused_bc_add_ew(b, x)
            R.output(gv)
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_bc_add_ew(b: T.Buffer((T.int64(16),), "float32"), p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(16)))
        B_intermediate_1_2 = T.match_buffer(p_output0, (n, T.int64(16)))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n, T.int64(16)))
        B_intermediate_1 = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("bc"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(b[vj])
                T.writes(B_intermediate[vi, vj])
                B_intermediate[vi, vj] = b[vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj], B_intermediate[vi, vj])
                T.writes(B_intermediate_1[vi, vj])
                B_intermediate_1[vi, vj] = x[vi, vj] + B_intermediate[vi, vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B_intermediate_1[vi, vj])
                T.writes(B_intermediate_1_2[vi, vj])
                B_intermediate_1_2[vi, vj] = T.exp(B_intermediate_1[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), b: R.Tensor((16,), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.fused_bc_add_ew, (b, x), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv
