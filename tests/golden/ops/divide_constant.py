# RUN: relax opt --pass LegalizeOps %s
# A scalar constant stands in the program as a number.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.divide(x, R.const(4.0, "float32"))
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.divide, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def divide(var_x: T.handle, var_T_divide: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_divide = T.match_buffer(var_T_divide, (n, T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("T_divide"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_divide[v_i0, v_i1] = x[v_i0, v_i1] / T.float32(4.0)
