# RUN: relax opt --pass LegalizeOps %s
# A product with a symbolic number of rows: one reduction.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float32"), w: R.Tensor((128, 10), dtype="float32")):
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
    def main(x: R.Tensor(("n", 128), dtype="float32"), w: R.Tensor((128, 10), dtype="float32")) -> R.Tensor(("n", 10), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def matmul(var_x: T.handle, w: T.Buffer((T.int64(128), T.int64(10)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(128)))
        matmul = T.match_buffer(var_matmul, (n, T.int64(10)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(10), T.int64(128)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul[v_i, v_j] = T.float32(0.0)
                matmul[v_i, v_j] = matmul[v_i, v_j] + x[v_i, v_k] * w[v_k, v_j]
