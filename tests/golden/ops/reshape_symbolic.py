# RUN: relax opt --pass LegalizeOps %s
# Row-major order through division.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.reshape(x, R.shape([2, n, 2]))
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((2, "n", 2), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.reshape, (x,), out_sinfo=R.Tensor((2, n, 2), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def reshape(var_x: T.handle, var_T_reshape: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_reshape = T.match_buffer(var_T_reshape, (T.int64(2), n, T.int64(2)))
        # with T.sblock("root"):
        for i0, i1, i2 in T.grid(T.int64(2), n, T.int64(2)):
            with T.sblock("T_reshape"):
                v_i0, v_i1, v_i2 = T.axis.remap("SSS", [i0, i1, i2])
                T_reshape[v_i0, v_i1, v_i2] = x[((v_i0 * n + v_i1) * T.int64(2) + v_i2) // T.int64(4), ((v_i0 * n + v_i1) * T.int64(2) + v_i2) % T.int64(4)]
