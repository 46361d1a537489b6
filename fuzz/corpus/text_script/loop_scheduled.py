@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mm(a: T.handle, B: T.Buffer((T.int64(64), T.int64(32)), "float32"), c: T.handle):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(64)))
        C = T.match_buffer(c, (n, T.int64(32)))
        L = T.sblock_alloc_buffer(((n + T.int64(31)) // T.int64(32) * T.int64(32), T.int64(32)), scope="local")
        for bx in T.thread_binding((n + T.int64(31)) // T.int64(32), thread="blockIdx.x"):
            for tx in T.thread_binding(T.int64(32), thread="threadIdx.x", annotations={"pragma_auto_unroll_max_step": 256}):
                for j in range(T.int64(32)):
                    with T.sblock("init"):
                        vi = T.axis.spatial((n + T.int64(31)) // T.int64(32) * T.int64(32), bx * T.int64(32) + tx)
                        vj = T.axis.spatial(T.int64(32), j)
                        T.reads()
                        T.writes(L[vi, vj])
                        L[vi, vj] = T.float32(0)
                for j, k in T.grid(T.int64(32), T.int64(64)):
                    with T.sblock("update"):
                        vi = T.axis.spatial((n + T.int64(31)) // T.int64(32) * T.int64(32), bx * T.int64(32) + tx)
                        vj, vk = T.axis.remap("SR", [j, k])
                        T.reads(L[vi, vj], A[vi, vk], B[vk, vj])
                        T.writes(L[vi, vj])
                        T.sblock_attr({"buffer_dim_align": [[0, 1, 8, 2]]})
                        L[vi, vj] = L[vi, vj] + T.if_then_else(vi < n, A[vi, vk], T.float32(0)) * B[vk, vj]
                for j in T.vectorized(T.int64(32)):
                    with T.sblock("write"):
                        vi = T.axis.spatial((n + T.int64(31)) // T.int64(32) * T.int64(32), bx * T.int64(32) + tx)
                        vj = T.axis.spatial(T.int64(32), j)
                        T.where(bx * T.int64(32) + tx < n)
                        T.reads(L[vi, vj])
                        T.writes(C[vi, vj])
                        C[vi, vj] = L[vi, vj]
