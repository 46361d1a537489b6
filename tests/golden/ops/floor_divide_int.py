# RUN: relax opt --pass LegalizeOps %s
# Whole numbers never trap: by 0 gives 0, by -1 the negative.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="int32"), y: R.Tensor(("n",), dtype="int32")):
        n = T.int64()
        with R.dataflow():
            gv = R.floor_divide(x, y)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="int32"), y: R.Tensor(("n",), dtype="int32")) -> R.Tensor(("n",), dtype="int32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.floor_divide, (x, y), out_sinfo=R.Tensor((n,), dtype="int32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def floor_divide(var_x: T.handle, var_y: T.handle, var_T_floor_divide: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,), "int32")
        y = T.match_buffer(var_y, (n,), "int32")
        T_floor_divide = T.match_buffer(var_T_floor_divide, (n,), "int32")
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("T_floor_divide"):
                v_i0 = T.axis.spatial(n, i0)
                T_floor_divide[v_i0] = T.Select(y[v_i0] == 0, 0, T.Select(y[v_i0] == -1, 0 - x[v_i0], x[v_i0] // T.Select(y[v_i0] == 0 or y[v_i0] == -1, 1, y[v_i0])))
