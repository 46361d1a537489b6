# RUN: b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 4]); b4 = rfactor(b0, l3, -1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n, m = T.int64(), T.int64()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        B_rf = T.sblock_alloc_buffer((n, T.int64(4)))
        for i, k_0, k_1 in T.grid(n, (m + T.int64(3)) // T.int64(4), T.int64(4)):
            with T.sblock("B_rf"):
                vk_1, vi, vk_0 = T.axis.remap("SSR", [k_1, i, k_0])
                T.where(k_0 * T.int64(4) + k_1 < m)
                T.reads(A[vi, vk_0 * T.int64(4) + vk_1])
                T.writes(B_rf[vi, vk_1])
                with T.init():
                    B_rf[vi, vk_1] = T.float32(0.0)
                B_rf[vi, vk_1] = B_rf[vi, vk_1] + A[vi, vk_0 * T.int64(4) + vk_1]
        for i, k_1 in T.grid(n, T.int64(4)):
            with T.sblock("B"):
                vk_1, vi = T.axis.remap("RS", [k_1, i])
                T.reads(B_rf[vi, vk_1])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + B_rf[vi, vk_1]
