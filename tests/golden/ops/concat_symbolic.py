# RUN: relax opt --pass LegalizeOps %s
# The element belongs to the first tensor that reaches past its index.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("m", 4), dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            gv = R.concat((x, y), axis=0)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("m", 4), dtype="float32")) -> R.Tensor(("n + m", 4), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.concat, (x, y), out_sinfo=R.Tensor((n + m, 4), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def concat(var_tensors0: T.handle, var_tensors1: T.handle, var_T_concat: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        m = T.int64()
        tensors0 = T.match_buffer(var_tensors0, (n, T.int64(4)))
        tensors1 = T.match_buffer(var_tensors1, (m, T.int64(4)))
        T_concat = T.match_buffer(var_T_concat, (n + m, T.int64(4)))
        # with T.sblock("root"):
        for k, i0 in T.grid(n + m, T.int64(4)):
            with T.sblock("T_concat"):
                v_k, v_i0 = T.axis.remap("SS", [k, i0])
                T_concat[v_k, v_i0] = T.if_then_else(v_k < n, tensors0[v_k, v_i0], tensors1[v_k - n, v_i0])
