# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 64]); b4 = rfactor(b0, l2, 0)' %s
# Each partial result has a first step, as there is no part without any: they start with it, without a nest of their own.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (4, n))
        B = T.match_buffer(b, (4,))
        for i, k in T.grid(4, n):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 64])
# b4 = rfactor(b0, l2, 0)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (4, n))
        B = T.match_buffer(b, (4,))
        # with T.sblock("root"):
        B_rf = T.sblock_alloc_buffer((T.Cast("int32", (n + T.int64(63)) // T.int64(64)), 4))
        for i, k_0, k_1 in T.grid(4, (n + T.int64(63)) // T.int64(64), T.int64(64)):
            with T.sblock("B_rf"):
                vk_0, vi, vk_1 = T.axis.remap("SSR", [k_0, i, k_1])
                T.where(k_0 * T.int64(64) + k_1 < n)
                with T.init():
                    B_rf[vk_0, vi] = T.float32(0.0)
                B_rf[vk_0, vi] = B_rf[vk_0, vi] + A[vi, vk_0 * T.int64(64) + vk_1]
        for i_init, k_0_rf in T.grid(4, (n + T.int64(63)) // T.int64(64)):
            with T.sblock("B"):
                vi, vk_0 = T.axis.remap("SR", [i_init, k_0_rf])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + B_rf[vk_0, vi]
