# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); l4 = loop(b0, 0); l5 = loop(b0, 3); reorder(l2, l4, l5, l3); b6 = decompose_reduction(b0, l5); unroll(l3)' %s
# Columns in tiles, the sum outside of the vector; it starts in a nest of its own.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((32, 48), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 48))
        for i, j, k in T.grid(n, 48, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 16])
# l4 = loop(b0, 0)
# l5 = loop(b0, 3)
# reorder(l2, l4, l5, l3)
# b6 = decompose_reduction(b0, l5)
# unroll(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((32, 48), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 48))
        # with T.sblock("root"):
        for j_0, i in T.grid(3, n):
            for j_1_init in range(16):
                with T.sblock("C_init"):
                    vi = T.axis.spatial(n, i)
                    vj = T.axis.spatial(48, j_0 * 16 + j_1_init)
                    C[vi, vj] = T.float32(0.0)
            for k in range(32):
                for j_1 in T.unroll(16):
                    with T.sblock("C"):
                        vi = T.axis.spatial(n, i)
                        vj = T.axis.spatial(48, j_0 * 16 + j_1)
                        vk = T.axis.reduce(32, k)
                        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
