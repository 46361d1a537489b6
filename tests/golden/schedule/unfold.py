# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 2); l3 = loop(b0, 0); l4 = loop(b0, 1); reorder(l1, l3, l4); b2 = decompose_reduction(b0, l1); unfold(b0, l3)' %s
# Each term for all rows: what rows share of it is needed no longer than that.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 8, 2), "float32"), W: T.Buffer((6, 8, 2), "float32"), d: T.Buffer((6, 8), "float32"), C: T.Buffer((4, 6), "float32")):
        for i, j, k in T.grid(4, 6, 8):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + (d[vj, vk] * (A[vi, vk, 0] * W[vj, vk, 0] - A[vi, vk, 1] * W[vj, vk, 1]) - d[vj, vk])
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 2)
# l2 = loop(b0, 0)
# l3 = loop(b0, 1)
# reorder(l1, l2, l3)
# b4 = decompose_reduction(b0, l1)
# unfold(b0, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 8, 2), "float32"), W: T.Buffer((6, 8, 2), "float32"), d: T.Buffer((6, 8), "float32"), C: T.Buffer((4, 6), "float32")):
        # with T.sblock("root"):
        C_sum = T.sblock_alloc_buffer((4, 6, 8), scope="local")
        for i_init, j_init in T.grid(4, 6):
            with T.sblock("C_init"):
                vi, vj = T.axis.remap("SS", [i_init, j_init])
                C[vi, vj] = T.float32(0.0)
        for k in range(8):
            for i, j in T.grid(4, 6):
                with T.sblock("C_sum0"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    C_sum[vi, vj, vk] = A[vi, vk, 0] * W[vj, vk, 0]
            for i, j in T.grid(4, 6):
                with T.sblock("C_sum1"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    C_sum[vi, vj, vk] = C_sum[vi, vj, vk] - A[vi, vk, 1] * W[vj, vk, 1]
            for i, j in T.grid(4, 6):
                with T.sblock("C_term2"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    C[vi, vj] = C[vi, vj] + d[vj, vk] * C_sum[vi, vj, vk]
            for i, j in T.grid(4, 6):
                with T.sblock("C"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    C[vi, vj] = C[vi, vj] - d[vj, vk]
