# RUN: relax opt --pass LegalizeOps %s
# A vector on the left: its index is left out.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), dtype="float32"), w: R.Tensor(("n", 8, 3), dtype="float32")):
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
    def main(x: R.Tensor((8,), dtype="float32"), w: R.Tensor(("n", 8, 3), dtype="float32")) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((n, 3), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def matmul(x: T.Buffer((T.int64(8),), "float32"), var_w: T.handle, var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        w = T.match_buffer(var_w, (n, T.int64(8), T.int64(3)))
        matmul = T.match_buffer(var_matmul, (n, T.int64(3)))
        # with T.sblock("root"):
        for b0, j, k in T.grid(n, T.int64(3), T.int64(8)):
            with T.sblock("matmul"):
                v_b0, v_j, v_k = T.axis.remap("SSR", [b0, j, k])
                with T.init():
                    matmul[v_b0, v_j] = T.float32(0.0)
                matmul[v_b0, v_j] = matmul[v_b0, v_j] + x[v_k] * w[v_b0, v_k, v_j]
