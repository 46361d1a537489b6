# RUN: relax opt --pass LegalizeOps %s
# Several outputs of one program.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 7), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.split(x, indices_or_sections=2, axis=1)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 7), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 3), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.split, (x,), out_sinfo=[R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 3), dtype="float32")])
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def split(var_x: T.handle, var_T_split_out0: T.handle, var_T_split_out1: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(7)))
        T_split_out0 = T.match_buffer(var_T_split_out0, (n, T.int64(4)))
        T_split_out1 = T.match_buffer(var_T_split_out1, (n, T.int64(3)))
        # with T.sblock("root"):
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_split_out0"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_split_out0[v_i0, v_k] = x[v_i0, v_k]
        for i0, k in T.grid(n, T.int64(3)):
            with T.sblock("T_split_out1"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_split_out1[v_i0, v_k] = x[v_i0, v_k + T.int64(4)]
