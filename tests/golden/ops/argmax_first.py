# RUN: relax opt --pass LegalizeOps %s
# The first of equals; a NaN is the largest.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.argmax(x, axis=1)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n",), dtype="int64"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.argmax, (x,), out_sinfo=R.Tensor((n,), dtype="int64"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def argmax(var_x: T.handle, var_T_argmax: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_argmax = T.match_buffer(var_T_argmax, (n,), "int64")
        # with T.sblock("root"):
        T_argmax_maxelem = T.sblock_alloc_buffer((n,))
        for i0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("T_argmax_maxelem"):
                v_i0, v_k0 = T.axis.remap("SR", [i0, k0])
                with T.init():
                    T_argmax_maxelem[v_i0] = T.float32("-inf")
                T_argmax_maxelem[v_i0] = T.max(T_argmax_maxelem[v_i0], x[v_i0, v_k0])
        for i0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("T_argmax"):
                v_i0, v_k0 = T.axis.remap("SR", [i0, k0])
                with T.init():
                    T_argmax[v_i0] = T.int64(9223372036854775807)
                T_argmax[v_i0] = T.min(T_argmax[v_i0], T.Select(x[v_i0, v_k0] == T_argmax_maxelem[v_i0] or T.isnan(x[v_i0, v_k0]), v_k0, T.int64(9223372036854775807)))
