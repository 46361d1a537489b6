# RUN: b0 = block("B"); l1 = loop(b0, 2); l2, l3 = split(l1, factors=[None, 4]); b4 = rfactor(b0, l2, 0)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, w: T.Buffer((6, 32), "float32"), b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        B = T.match_buffer(b, (n, 6))
        # with T.sblock("root"):
        B_rf = T.sblock_alloc_buffer((8, n, 6), elem_offset=T.int64(0))
        for i, j, k_0, k_1 in T.grid(n, 6, 8, 4):
            with T.sblock("B_rf"):
                vk_0, vi, vj, vk_1 = T.axis.remap("SSSR", [k_0, i, j, k_1])
                T.reads(A[vi, vk_0 * 4 + vk_1], w[vj, vk_0 * 4 + vk_1])
                T.writes(B_rf[vk_0, vi, vj])
                with T.init():
                    B_rf[vk_0, vi, vj] = T.float32(0.0)
                B_rf[vk_0, vi, vj] = B_rf[vk_0, vi, vj] + A[vi, vk_0 * 4 + vk_1] * w[vj, vk_0 * 4 + vk_1]
        for i, j, k_0 in T.grid(n, 6, 8):
            with T.sblock("B"):
                vk_0, vi, vj = T.axis.remap("RSS", [k_0, i, j])
                T.reads(B_rf[vk_0, vi, vj])
                T.writes(B[vi, vj])
                with T.init():
                    B[vi, vj] = T.float32(0.0)
                B[vi, vj] = B[vi, vj] + B_rf[vk_0, vi, vj]
