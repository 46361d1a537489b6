# NUMBERS
# A batch of products with a symbolic inner dim.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n", "k"), "float32"), w: R.Tensor(("k", 5), "float32")):
        n = T.int64()
        k = T.int64()
        a = R.matmul(x, w)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def matmul(var_x: T.handle, var_w: T.handle, var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, k = T.int64(), T.int64()
        x = T.match_buffer(var_x, (T.int64(2), n, k))
        w = T.match_buffer(var_w, (k, T.int64(5)))
        matmul = T.match_buffer(var_matmul, (T.int64(2), n, T.int64(5)))
        # with T.sblock("root"):
        for i0, i1, i2, k_1 in T.grid(T.int64(2), n, T.int64(5), k):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k_1])
                T.reads(x[v_i0, v_i1, v_k], w[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + x[v_i0, v_i1, v_k] * w[v_k, v_i2]

    @R.function
    def main(x: R.Tensor((2, "n", "k"), dtype="float32"), w: R.Tensor(("k", 5), dtype="float32")) -> R.Tensor((2, "n", 5), dtype="float32"):
        n = T.int64()
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((2, n, 5), dtype="float32"))
        return a
