@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mm_splitk(var_A: T.handle, B: T.Buffer((T.int64(64), T.int64(32)), "float32"), var_C: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(64)))
        C = T.match_buffer(var_C, (n, T.int64(32)))
        W = T.sblock_alloc_buffer((T.int64(4), n, T.int64(32)))
        for s in T.parallel(T.int64(4)):
            for i, j, k in T.grid(n, T.int64(32), T.int64(16)):
                with T.sblock("part"):
                    vs, vi, vj, vk = T.axis.remap("SSSR", [s, i, j, k])
                    with T.init():
                        W[vs, vi, vj] = T.float32(0)
                    W[vs, vi, vj] = W[vs, vi, vj] + A[vi, vs * T.int64(16) + vk] * B[vs * T.int64(16) + vk, vj]
        for i in T.parallel(n):
            for j, s in T.grid(T.int64(32), T.int64(4)):
                with T.sblock("sum"):
                    vi, vj, vs = T.axis.remap("SSR", [i, j, s])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = C[vi, vj] + W[vs, vi, vj]

    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64, 32), "float32")) -> R.Tensor(("n", 32), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.mm_splitk, (x, w), out_sinfo=R.Tensor((n, 32), "float32"))
            z = R.nn.relu(y)
            R.output(z)
        return z
