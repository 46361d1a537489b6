# RUN: relax opt --pass LegalizeOps %s
# Only the border that is there is asked for.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.nn.pad(x, pad_width=[0, 0, 1, 2])
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 7), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.pad, (x,), out_sinfo=R.Tensor((n, 7), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def pad(var_x: T.handle, var_T_pad: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_pad = T.match_buffer(var_T_pad, (n, T.int64(7)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(7)):
            with T.sblock("T_pad"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_pad[v_i0, v_i1] = T.if_then_else(v_i1 >= T.int64(1) and v_i1 < T.int64(5), x[v_i0, v_i1 - T.int64(1)], T.float32(0.0))
