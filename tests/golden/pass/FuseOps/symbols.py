# RUN: relax opt --pass LegalizeOps,AnnotateTIROpPattern,FuseOps %s
# The symbol of n + 1 comes as a parameter of its own.
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
            z: R.Tensor((n + 1,), dtype="float32") = cls.fused_exp_negative(x, R.shape([n]))
            R.output(z)
        return z

    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_T_exp: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True, "op_pattern": 0})
        x = T.match_buffer(var_x, (n + T.int64(1),))
        T_exp = T.match_buffer(var_T_exp, (n + T.int64(1),))
        # with T.sblock("root"):
        for i0 in range(n + T.int64(1)):
            with T.sblock("T_exp"):
                v_i0 = T.axis.spatial(n + T.int64(1), i0)
                T_exp[v_i0] = T.exp(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def negative(var_y: T.handle, var_T_negative: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True, "op_pattern": 0})
        y = T.match_buffer(var_y, (n + T.int64(1),))
        T_negative = T.match_buffer(var_T_negative, (n + T.int64(1),))
        # with T.sblock("root"):
        for i0 in range(n + T.int64(1)):
            with T.sblock("T_negative"):
                v_i0 = T.axis.spatial(n + T.int64(1), i0)
                T_negative[v_i0] = y[v_i0] * T.float32(-1.0)

    @R.function(private=True)
    def fused_exp_negative(x: R.Tensor(("n + 1",), dtype="float32"), tir_vars: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            z = R.call_tir(cls.negative, (y,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            R.output(z)
        return z
