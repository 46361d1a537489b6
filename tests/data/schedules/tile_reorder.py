# RUN: b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); l4 = loop(b0, 0); l5 = loop(b0, 3); reorder(l2, l4, l5, l3); b6 = decompose_reduction(b0, l5); unroll(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

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
                    T.reads()
                    T.writes(C[vi, vj])
                    C[vi, vj] = T.float32(0.0)
            for k in range(32):
                for j_1 in T.unroll(16):
                    with T.sblock("C_update"):
                        vi = T.axis.spatial(n, i)
                        vj = T.axis.spatial(48, j_0 * 16 + j_1)
                        vk = T.axis.reduce(32, k)
                        T.reads(C[vi, vj], A[vi, vk], B[vk, vj])
                        T.writes(C[vi, vj])
                        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
