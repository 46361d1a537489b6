# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 8]); b4 = rfactor(b0, l3, -1); l5 = loop(b4, 2); vectorize(l5)' %s
# A maximum; its partial results are lanes. The order of a maximum's elements does not matter, whatever it starts from.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 32):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.min_value("float32")
                B[vi] = T.max(B[vi], A[vi, vk])
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 8])
# b4 = rfactor(b0, l3, -1)
# vectorize(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

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
                    with T.init():
                        B_rf[vi, vk_1] = T.min_value("float32")
                    B_rf[vi, vk_1] = T.max(B_rf[vi, vk_1], A[vi, vk_0 * 8 + vk_1])
        for i_init, k_1_rf in T.grid(4, 8):
            with T.sblock("B"):
                vi, vk_1 = T.axis.remap("SR", [i_init, k_1_rf])
                with T.init():
                    B[vi] = T.min_value("float32")
                B[vi] = T.max(B[vi], B_rf[vi, vk_1])
