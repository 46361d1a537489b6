# A matmul takes what follows it elementwise, twice; equal groups share a function.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def bias(var_A: T.handle, C: T.Buffer((T.int64(16),), "float32"), var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("bias"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj], C[vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] + C[vj]

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
    def mm(var_A: T.handle, W: T.Buffer((T.int64(16), T.int64(16)), "float32"), var_B: T.handle):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(16), T.int64(16)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], W[vk, vj])
                T.writes(B[vi, vj])
                with T.init():
                    B[vi, vj] = T.float32(0.0)
                B[vi, vj] = B[vi, vj] + A[vi, vk] * W[vk, vj]

    @R.function(private=True)
    def fused_mm_bias_ew(x: R.Tensor(("n", 16), dtype="float32"), w: R.Tensor((16, 16), dtype="float32"), b: R.Tensor((16,), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.mm, (x, w), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            c = R.call_tir(cls.bias, (a, b), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.ew, (c,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), w: R.Tensor((16, 16), dtype="float32"), b: R.Tensor((16,), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n, 16), dtype="float32") = cls.fused_mm_bias_ew(x, w, b)
            gv: R.Tensor((n, 16), dtype="float32") = cls.fused_mm_bias_ew(lv, w, b)
            R.output(gv)
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_mm_bias_ew(p_x: T.handle, w: T.Buffer((T.int64(16), T.int64(16)), "float32"), b: T.Buffer((T.int64(16),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(16)))
        B_intermediate_1_2 = T.match_buffer(p_output0, (n, T.int64(16)))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n, T.int64(16)))
        B_intermediate_1 = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j, k in T.grid(n, T.int64(16), T.int64(16)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], w[vk, vj])
                T.writes(B_intermediate[vi, vj])
                with T.init():
                    B_intermediate[vi, vj] = T.float32(0.0)
                B_intermediate[vi, vj] = B_intermediate[vi, vj] + x[vi, vk] * w[vk, vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("bias"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B_intermediate[vi, vj], b[vj])
                T.writes(B_intermediate_1[vi, vj])
                B_intermediate_1[vi, vj] = B_intermediate[vi, vj] + b[vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B_intermediate_1[vi, vj])
                T.writes(B_intermediate_1_2[vi, vj])
                B_intermediate_1_2[vi, vj] = T.exp(B_intermediate_1[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), w: R.Tensor((16, 16), dtype="float32"), b: R.Tensor((16,), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.fused_mm_bias_ew, (x, w, b), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.fused_mm_bias_ew, (lv, w, b), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            R.output(gv)
        return gv
