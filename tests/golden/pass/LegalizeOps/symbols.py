# RUN: relax opt --pass LegalizeOps %s
# A symbol that no dim binds is passed in tir_vars; two functions share the program.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        y = R.exp(x)
        return y

    @R.function
    def other(x: R.Tensor(("m + 1",), "float32"), s: R.Shape(["m"])):
        m = T.int64()
        y = R.exp(x)
        return y
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
        y = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
        return y

    @R.function
    def other(x: R.Tensor(("m + 1",), dtype="float32"), s: R.Shape(["m"])) -> R.Tensor(("m + 1",), dtype="float32"):
        m = T.int64()
        cls = Module
        y = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((m + 1,), dtype="float32"), tir_vars=R.shape([m]))
        return y

    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_T_exp: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        x = T.match_buffer(var_x, (n + T.int64(1),))
        T_exp = T.match_buffer(var_T_exp, (n + T.int64(1),))
        # with T.sblock("root"):
        for i0 in range(n + T.int64(1)):
            with T.sblock("T_exp"):
                v_i0 = T.axis.spatial(n + T.int64(1), i0)
                T_exp[v_i0] = T.exp(x[v_i0])
