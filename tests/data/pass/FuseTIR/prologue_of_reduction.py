# Elementwise calls before a reduction; none after it.
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
    def red(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 3, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n,))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(16)):
            with T.sblock("red"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + A[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def vec(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n,))
        B = T.match_buffer(var_B, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("vec"):
                vi = T.axis.spatial(n, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.exp(A[vi])

    @R.function(private=True)
    def fused_ew_red(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.red, (a,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function(private=True)
    def fused_vec_vec(c: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            d = R.call_tir(cls.vec, (c,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv = R.call_tir(cls.vec, (d,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n,), dtype="float32") = cls.fused_ew_red(x)
            gv: R.Tensor((n,), dtype="float32") = cls.fused_vec_vec(lv)
            R.output(gv)
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_ew_red(p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(16)))
        B_intermediate_1 = T.match_buffer(p_output0, (n,))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(B_intermediate[vi, vj])
                B_intermediate[vi, vj] = T.exp(x[vi, vj])
        for i, k in T.grid(n, T.int64(16)):
            with T.sblock("red"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(B_intermediate[vi, vk])
                T.writes(B_intermediate_1[vi])
                with T.init():
                    B_intermediate_1[vi] = T.float32(0.0)
                B_intermediate_1[vi] = B_intermediate_1[vi] + B_intermediate[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def fused_vec_vec(p_c: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        c = T.match_buffer(p_c, (n,))
        B_intermediate_1 = T.match_buffer(p_output0, (n,))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n,))
        for i in range(n):
            with T.sblock("vec"):
                vi = T.axis.spatial(n, i)
                T.reads(c[vi])
                T.writes(B_intermediate[vi])
                B_intermediate[vi] = T.exp(c[vi])
        for i in range(n):
            with T.sblock("vec1"):
                vi = T.axis.spatial(n, i)
                T.reads(B_intermediate[vi])
                T.writes(B_intermediate_1[vi])
                B_intermediate_1[vi] = T.exp(B_intermediate[vi])

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.fused_ew_red, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv = R.call_tir(cls.fused_vec_vec, (lv,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv
