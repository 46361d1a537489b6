# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); l4 = fuse(l1, l2, l3); l5, l6 = split(l4, factors=[None, 8]); vectorize(l6); parallel(l5)' %s
# A fused loop runs over both dims: the prover sees that its iterations do not meet.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        A = T.match_buffer(a, (n, m, 4))
        B = T.match_buffer(b, (n, m, 4))
        for i, j, k in T.grid(n, m, T.int64(4)):
            with T.sblock("B"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2)
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 0)
# l2 = loop(b0, 1)
# l3 = loop(b0, 2)
# l4 = fuse(l1, l2, l3)
# l5, l6 = split(l4, factors=[None, 8])
# vectorize(l6)
# parallel(l5)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        A = T.match_buffer(a, (n, m, 4))
        B = T.match_buffer(b, (n, m, 4))
        # with T.sblock("root"):
        for i_j_fused_k_fused_0 in T.parallel((n * m + T.int64(1)) // T.int64(2)):
            for i_j_fused_k_fused_1 in T.vectorized(T.int64(8)):
                with T.sblock("B"):
                    vi = T.axis.spatial(n, (i_j_fused_k_fused_0 * T.int64(2) + i_j_fused_k_fused_1 // T.int64(4)) // m)
                    vj = T.axis.spatial(m, (i_j_fused_k_fused_0 * T.int64(2) + i_j_fused_k_fused_1 // T.int64(4)) % m)
                    vk = T.axis.spatial(T.int64(4), i_j_fused_k_fused_1 % T.int64(4))
                    T.where(i_j_fused_k_fused_0 * T.int64(8) + i_j_fused_k_fused_1 < n * m * T.int64(4))
                    B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2.0)
