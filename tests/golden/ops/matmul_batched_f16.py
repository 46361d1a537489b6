# RUN: relax opt --pass LegalizeOps %s
# Halves are added up in float32; batch dims broadcast.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, "n", 8), dtype="float16"), w: R.Tensor((4, 8, 3), dtype="float16")):
        n = T.int64()
        with R.dataflow():
            gv = R.matmul(x, w)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, "n", 8), dtype="float16"), w: R.Tensor((4, 8, 3), dtype="float16")) -> R.Tensor((2, 4, "n", 3), dtype="float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((2, 4, n, 3), dtype="float16"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def matmul(var_x: T.handle, w: T.Buffer((T.int64(4), T.int64(8), T.int64(3)), "float16"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (T.int64(2), T.int64(1), n, T.int64(8)), "float16")
        matmul = T.match_buffer(var_matmul, (T.int64(2), T.int64(4), n, T.int64(3)), "float16")
        # with T.sblock("root"):
        matmul_acc = T.sblock_alloc_buffer((T.int64(2), T.int64(4), n, T.int64(3)))
        for b0, b1, i, j, k in T.grid(T.int64(2), T.int64(4), n, T.int64(3), T.int64(8)):
            with T.sblock("matmul_acc"):
                v_b0, v_b1, v_i, v_j, v_k = T.axis.remap("SSSSR", [b0, b1, i, j, k])
                with T.init():
                    matmul_acc[v_b0, v_b1, v_i, v_j] = T.float32(0.0)
                matmul_acc[v_b0, v_b1, v_i, v_j] = matmul_acc[v_b0, v_b1, v_i, v_j] + T.Cast("float32", x[v_b0, T.int64(0), v_i, v_k]) * T.Cast("float32", w[v_b1, v_k, v_j])
        for b0, b1, i, j in T.grid(T.int64(2), T.int64(4), n, T.int64(3)):
            with T.sblock("matmul"):
                v_b0, v_b1, v_i, v_j = T.axis.remap("SSSS", [b0, b1, i, j])
                matmul[v_b0, v_b1, v_i, v_j] = T.Cast("float16", matmul_acc[v_b0, v_b1, v_i, v_j])
