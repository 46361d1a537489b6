# RUN: relax opt --pass LegalizeOps %s
# Along a dim in the middle; four statements, three locals.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n", 5), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.nn.softmax(x, axis=1)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n", 5), dtype="float32")) -> R.Tensor((2, "n", 5), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.softmax, (x,), out_sinfo=R.Tensor((2, n, 5), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_x: T.handle, var_T_softmax: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (T.int64(2), n, T.int64(5)))
        T_softmax = T.match_buffer(var_T_softmax, (T.int64(2), n, T.int64(5)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((T.int64(2), T.int64(5)))
        T_softmax_exp = T.sblock_alloc_buffer((T.int64(2), n, T.int64(5)))
        T_softmax_expsum = T.sblock_alloc_buffer((T.int64(2), T.int64(5)))
        for i0, i1, k in T.grid(T.int64(2), T.int64(5), n):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                with T.init():
                    T_softmax_maxelem[v_i0, v_i1] = T.float32("-inf")
                T_softmax_maxelem[v_i0, v_i1] = T.max(T_softmax_maxelem[v_i0, v_i1], x[v_i0, v_k, v_i1])
        for i0, k, i1 in T.grid(T.int64(2), n, T.int64(5)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_k, v_i1 = T.axis.remap("SSS", [i0, k, i1])
                T_softmax_exp[v_i0, v_k, v_i1] = T.exp(x[v_i0, v_k, v_i1] - T_softmax_maxelem[v_i0, v_i1])
        for i0, i1, k in T.grid(T.int64(2), T.int64(5), n):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                with T.init():
                    T_softmax_expsum[v_i0, v_i1] = T.float32(0.0)
                T_softmax_expsum[v_i0, v_i1] = T_softmax_expsum[v_i0, v_i1] + T_softmax_exp[v_i0, v_k, v_i1]
        for i0, k, i1 in T.grid(T.int64(2), n, T.int64(5)):
            with T.sblock("T_softmax"):
                v_i0, v_k, v_i1 = T.axis.remap("SSS", [i0, k, i1])
                T_softmax[v_i0, v_k, v_i1] = T_softmax_exp[v_i0, v_k, v_i1] * (T.float32(1.0) / T_softmax_expsum[v_i0, v_i1])
