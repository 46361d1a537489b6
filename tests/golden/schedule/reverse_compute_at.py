# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); l4, l5 = split(l1, factors=[None, 4]); l6, l7 = split(l2, factors=[None, 8]); reorder(l4, l6, l3, l5, l7); b8 = block("Y"); reverse_compute_at(b8, l6); b9 = decompose_reduction(b0, l3); compact(l4); vectorize(l7); unroll(l5); parallel(l4)' %s
# The epilogue follows its tile.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, W: T.Buffer((T.int64(20), T.int64(16)), "float32"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(20)))
        Y = T.match_buffer(y, (n, T.int64(16)))

        C = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j, k in T.grid(n, T.int64(16), T.int64(20)):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + X[vi, vk] * W[vk, vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.max(C[vi, vj], T.float32(0))
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 4])
# l4 = loop(b0, 2)
# l5, l6 = split(l4, factors=[None, 8])
# l7 = loop(b0, 4)
# reorder(l2, l5, l7, l3, l6)
# b8 = block("Y")
# reverse_compute_at(b8, l5)
# b9 = decompose_reduction(b0, l7)
# compact(l2)
# vectorize(l6)
# unroll(l3)
# parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, W: T.Buffer((T.int64(20), T.int64(16)), "float32"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(20)))
        Y = T.match_buffer(y, (n, T.int64(16)))
        # with T.sblock("root"):
        for i_0 in T.parallel((n + T.int64(3)) // T.int64(4)):
            for j_0 in range(T.int64(2)):
                with T.sblock("C_local"):
                    v_i_0, v_j_0 = T.axis.remap("SS", [i_0, j_0])
                    C = T.sblock_alloc_buffer((T.int64(4), T.int64(8)))
                    for i_1_init, j_1_init in T.grid(T.int64(4), T.int64(8)):
                        with T.sblock("C_init"):
                            vi = T.axis.spatial(n, v_i_0 * T.int64(4) + i_1_init)
                            vj = T.axis.spatial(T.int64(16), v_j_0 * T.int64(8) + j_1_init)
                            T.where(v_i_0 * T.int64(4) + i_1_init < n)
                            C[vi - v_i_0 * T.int64(4), vj - v_j_0 * T.int64(8)] = T.float32(0.0)
                    for k in range(T.int64(20)):
                        for i_1 in T.unroll(T.int64(4)):
                            for j_1 in T.vectorized(T.int64(8)):
                                with T.sblock("C"):
                                    vi = T.axis.spatial(n, v_i_0 * T.int64(4) + i_1)
                                    vj = T.axis.spatial(T.int64(16), v_j_0 * T.int64(8) + j_1)
                                    vk = T.axis.reduce(T.int64(20), k)
                                    T.where(v_i_0 * T.int64(4) + i_1 < n)
                                    C[vi - v_i_0 * T.int64(4), vj - v_j_0 * T.int64(8)] = C[vi - v_i_0 * T.int64(4), vj - v_j_0 * T.int64(8)] + X[vi, vk] * W[vk, vj]
                    for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
                        with T.sblock("Y"):
                            vi = T.axis.spatial(n, v_i_0 * T.int64(4) + ax0)
                            vj = T.axis.spatial(T.int64(16), v_j_0 * T.int64(8) + ax1)
                            T.where(v_i_0 * T.int64(4) + ax0 < n)
                            Y[vi, vj] = T.max(C[vi - v_i_0 * T.int64(4), vj - v_j_0 * T.int64(8)], T.float32(0.0))
