# RUN: relax opt --pass LegalizeOps %s
# A step of -2 from the end.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.strided_slice(x, (1,), (-1,), (0,), (-2,))
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32")) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.strided_slice, (x,), out_sinfo=R.Tensor((n, 3), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def strided_slice(var_x: T.handle, var_T_strided_slice: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(6)))
        T_strided_slice = T.match_buffer(var_T_strided_slice, (n, T.int64(3)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(3)):
            with T.sblock("T_strided_slice"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_strided_slice[v_i0, v_i1] = x[v_i0, v_i1 * T.int64(-2) + T.int64(5)]
