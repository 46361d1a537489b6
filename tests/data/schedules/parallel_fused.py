# RUN: b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); l4 = fuse(l1, l2, l3); l5, l6 = split(l4, factors=[None, 8]); vectorize(l6); parallel(l5)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n, m = T.int64(), T.int64()
        A = T.match_buffer(a, (n, m, 4))
        B = T.match_buffer(b, (n, m, 4))
        # with T.sblock("root"):
        for i_j_k_fused_0 in T.parallel((n * m * T.int64(4) + T.int64(7)) // T.int64(8)):
            for i_j_k_fused_1 in T.vectorized(T.int64(8)):
                with T.sblock("B"):
                    vi = T.axis.spatial(n, (i_j_k_fused_0 * T.int64(8) + i_j_k_fused_1) // (m * T.int64(4)))
                    vj = T.axis.spatial(m, (i_j_k_fused_0 * T.int64(8) + i_j_k_fused_1) % (m * T.int64(4)) // T.int64(4))
                    vk = T.axis.spatial(T.int64(4), (i_j_k_fused_0 * T.int64(8) + i_j_k_fused_1) % T.int64(4))
                    T.where(i_j_k_fused_0 * T.int64(8) + i_j_k_fused_1 < n * m * T.int64(4))
                    T.reads(A[vi, vj, vk])
                    T.writes(B[vi, vj, vk])
                    B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2.0)
