# RUN: b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 64]); b4 = rfactor(b0, l2, 0)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((4,), "float32")):
        n = T.int64()
        A = T.match_buffer(a, (4, n))
        # with T.sblock("root"):
        B_rf = T.sblock_alloc_buffer(((n + T.int64(63)) // T.int64(64), 4), elem_offset=0)
        for i, k_0, k_1 in T.grid(4, (n + T.int64(63)) // T.int64(64), T.int64(64)):
            with T.sblock("B_rf"):
                vk_0, vi, vk_1 = T.axis.remap("SSR", [k_0, i, k_1])
                T.where(k_0 * T.int64(64) + k_1 < n)
                T.reads(A[vi, vk_0 * T.int64(64) + vk_1])
                T.writes(B_rf[vk_0, vi])
                with T.init():
                    B_rf[vk_0, vi] = T.float32(0.0)
                B_rf[vk_0, vi] = B_rf[vk_0, vi] + A[vi, vk_0 * T.int64(64) + vk_1]
        for i, k_0 in T.grid(4, (n + T.int64(63)) // T.int64(64)):
            with T.sblock("B"):
                vk_0, vi = T.axis.remap("RS", [k_0, i])
                T.reads(B_rf[vk_0, vi])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + B_rf[vk_0, vi]
