# RUN: relax opt --pass LegalizeOps %s
# Sums in float32, rounded once.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float16"), w: R.Tensor((8,), dtype="float16")):
        n = T.int64()
        with R.dataflow():
            gv = R.nn.rms_norm(x, w, axes=[-1])
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float16"), w: R.Tensor((8,), dtype="float16")) -> R.Tensor(("n", 8), dtype="float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.rms_norm, (x, w), out_sinfo=R.Tensor((n, 8), dtype="float16"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def rms_norm(var_x: T.handle, w: T.Buffer((T.int64(8),), "float16"), var_T_rms_norm: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)), "float16")
        T_rms_norm = T.match_buffer(var_T_rms_norm, (n, T.int64(8)), "float16")
        # with T.sblock("root"):
        T_rms_norm_squares = T.sblock_alloc_buffer((n,))
        T_rms_norm_rsqrt = T.sblock_alloc_buffer((n,))
        for i0, k0 in T.grid(n, T.int64(8)):
            with T.sblock("T_rms_norm_squares"):
                v_i0, v_k0 = T.axis.remap("SR", [i0, k0])
                with T.init():
                    T_rms_norm_squares[v_i0] = T.float32(0.0)
                T_rms_norm_squares[v_i0] = T_rms_norm_squares[v_i0] + T.Cast("float32", x[v_i0, v_k0]) * T.Cast("float32", x[v_i0, v_k0])
        for i0 in range(n):
            with T.sblock("T_rms_norm_rsqrt"):
                v_i0 = T.axis.spatial(n, i0)
                T_rms_norm_rsqrt[v_i0] = T.rsqrt(T_rms_norm_squares[v_i0] / T.float32(8.0) + T.float32(1.0000000000000001e-05))
        for i0, k0 in T.grid(n, T.int64(8)):
            with T.sblock("T_rms_norm"):
                v_i0, v_k0 = T.axis.remap("SS", [i0, k0])
                T_rms_norm[v_i0, v_k0] = T.Cast("float16", T.Cast("float32", x[v_i0, v_k0]) * T_rms_norm_rsqrt[v_i0] * T.Cast("float32", w[v_k0]))
