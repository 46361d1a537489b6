# RUN: relax opt --pass LegalizeOps %s
# A dim of 1 is read at 0; shorter shapes align at the end.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1, 4), dtype="float32"), y: R.Tensor((3, 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.add(x, y)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1, 4), dtype="float32"), y: R.Tensor((3, 4), dtype="float32")) -> R.Tensor(("n", 3, 4), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.add, (x, y), out_sinfo=R.Tensor((n, 3, 4), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def add(var_x: T.handle, y: T.Buffer((T.int64(3), T.int64(4)), "float32"), var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(1), T.int64(4)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(3), T.int64(4)))
        # with T.sblock("root"):
        for i0, i1, i2 in T.grid(n, T.int64(3), T.int64(4)):
            with T.sblock("T_add"):
                v_i0, v_i1, v_i2 = T.axis.remap("SSS", [i0, i1, i2])
                T_add[v_i0, v_i1, v_i2] = x[v_i0, T.int64(0), v_i2] + y[v_i1, v_i2]
