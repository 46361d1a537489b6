# RUN: relax opt --pass LegalizeOps %s
# A dim that no buffer has by itself becomes a scalar parameter.
@I.ir_module
class Module:
    @R.function
    def main(s: R.Shape(["n"]), x: R.Tensor(("n + 1", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.exp(x)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(s: R.Shape(["n"]), x: R.Tensor(("n + 1", 4), dtype="float32")) -> R.Tensor(("n + 1", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((n + 1, 4), dtype="float32"), tir_vars=R.shape([n]))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_T_exp: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        x = T.match_buffer(var_x, (n + T.int64(1), T.int64(4)))
        T_exp = T.match_buffer(var_T_exp, (n + T.int64(1), T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n + T.int64(1), T.int64(4)):
            with T.sblock("T_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_exp[v_i0, v_i1] = T.exp(x[v_i0, v_i1])
