# Symbols no parameter's dims bind are passed as R.Shape.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew1(var_A: T.handle, var_B: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        A = T.match_buffer(var_A, (n + T.int64(1),))
        B = T.match_buffer(var_B, (n + T.int64(1),))
        # with T.sblock("root"):
        for i in range(n + T.int64(1)):
            with T.sblock("ew1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.exp(A[vi])

    @T.prim_func(private=True, s_tir=True)
    def neg1(var_A: T.handle, var_B: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        A = T.match_buffer(var_A, (n + T.int64(1),))
        B = T.match_buffer(var_B, (n + T.int64(1),))
        # with T.sblock("root"):
        for i in range(n + T.int64(1)):
            with T.sblock("neg1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.float32(0.0) - A[vi]

    @R.function(private=True)
    def fused_ew1_neg1_ew1(x: R.Tensor(("n + 1",), dtype="float32"), tir_vars: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew1, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            c = R.call_tir(cls.neg1, (a,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            gv = R.call_tir(cls.ew1, (c,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n + 1",), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n + 1,), dtype="float32") = cls.fused_ew1_neg1_ew1(x, R.shape([n]))
            R.output(gv)
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_ew1_neg1_ew1(p_x: T.handle, p_output0: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        x = T.match_buffer(p_x, (n + T.int64(1),))
        B_intermediate_1_2 = T.match_buffer(p_output0, (n + T.int64(1),))
        # with T.sblock("root"):
        B_intermediate = T.sblock_alloc_buffer((n + T.int64(1),))
        B_intermediate_1 = T.sblock_alloc_buffer((n + T.int64(1),))
        for i in range(n + T.int64(1)):
            with T.sblock("ew1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(x[vi])
                T.writes(B_intermediate[vi])
                B_intermediate[vi] = T.exp(x[vi])
        for i in range(n + T.int64(1)):
            with T.sblock("neg1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(B_intermediate[vi])
                T.writes(B_intermediate_1[vi])
                B_intermediate_1[vi] = T.float32(0.0) - B_intermediate[vi]
        for i in range(n + T.int64(1)):
            with T.sblock("ew2"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(B_intermediate_1[vi])
                T.writes(B_intermediate_1_2[vi])
                B_intermediate_1_2[vi] = T.exp(B_intermediate_1[vi])

    @R.function
    def main(x: R.Tensor(("n + 1",), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.fused_ew1_neg1_ew1, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            R.output(gv)
        return gv
