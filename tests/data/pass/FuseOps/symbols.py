# Symbols no parameter's dims bind are passed as R.Shape.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew1(var_A: T.handle, var_B: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        A = T.match_buffer(var_A, (n + T.int64(1),))
        B = T.match_buffer(var_B, (n + T.int64(1),))
        for i in range(n + T.int64(1)):
            with T.sblock("ew1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                B[vi] = T.exp(A[vi])

    @T.prim_func(private=True, s_tir=True)
    def neg1(var_A: T.handle, var_B: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        A = T.match_buffer(var_A, (n + T.int64(1),))
        B = T.match_buffer(var_B, (n + T.int64(1),))
        for i in range(n + T.int64(1)):
            with T.sblock("neg1"):
                vi = T.axis.spatial(n + T.int64(1), i)
                B[vi] = T.float32(0) - A[vi]

    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew1, (x,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
            c = R.call_tir(cls.neg1, (a,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
            d = R.call_tir(cls.ew1, (c,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
            R.output(d)
        return (d)
# TVM 0.25.0.post1:
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
