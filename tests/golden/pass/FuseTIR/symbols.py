# RUN: relax opt --pass LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR %s
# The symbol of n + 1 is a scalar parameter.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        with R.dataflow():
            y = R.exp(x)
            z = R.negative(y)
            R.output(z)
        return z
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n + 1",), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            z = R.call_tir(cls.fused_exp_negative, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            R.output(z)
        return z

    @T.prim_func(private=True, s_tir=True)
    def fused_exp_negative(p_x: T.handle, p_output0: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        x = T.match_buffer(p_x, (n + T.int64(1),))
        T_negative_intermediate = T.match_buffer(p_output0, (n + T.int64(1),))
        # with T.sblock("root"):
        T_exp_intermediate = T.sblock_alloc_buffer((n + T.int64(1),))
        for i0 in range(n + T.int64(1)):
            with T.sblock("T_exp"):
                v_i0 = T.axis.spatial(n + T.int64(1), i0)
                T_exp_intermediate[v_i0] = T.exp(x[v_i0])
        for i0 in range(n + T.int64(1)):
            with T.sblock("T_negative"):
                v_i0 = T.axis.spatial(n + T.int64(1), i0)
                T_negative_intermediate[v_i0] = T_exp_intermediate[v_i0] * T.float32(-1.0)
