# RUN: b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 8]); b4 = rfactor(b0, l3, -1); l5 = loop(b4, 2); vectorize(l5)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
        # with T.sblock("root"):
        B_rf = T.sblock_alloc_buffer((4, 8))
        for i, k_0 in T.grid(4, 4):
            for k_1 in T.vectorized(8):
                with T.sblock("B_rf"):
                    vk_1, vi, vk_0 = T.axis.remap("SSR", [k_1, i, k_0])
                    T.reads(A[vi, vk_0 * 8 + vk_1])
                    T.writes(B_rf[vi, vk_1])
                    with T.init():
                        B_rf[vi, vk_1] = T.float32(-340282346638528859811704183484516925440.0)
                    B_rf[vi, vk_1] = T.max(B_rf[vi, vk_1], A[vi, vk_0 * 8 + vk_1])
        for i, k_1 in T.grid(4, 8):
            with T.sblock("B"):
                vk_1, vi = T.axis.remap("RS", [k_1, i])
                T.reads(B_rf[vi, vk_1])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(-340282346638528859811704183484516925440.0)
                B[vi] = T.max(B[vi], B_rf[vi, vk_1])
