# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); b2 = decompose_reduction(b0, l1); vectorize(l1)' %s
# The lanes of a sum that has started are joined at once.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 16):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# b2 = decompose_reduction(b0, l1)
# vectorize(l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4,), "float32")):
        # with T.sblock("root"):
        for i in range(4):
            with T.sblock("B_init"):
                vi = T.axis.spatial(4, i)
                B[vi] = T.float32(0.0)
            for k in T.vectorized(16):
                with T.sblock("B"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    B[vi] = B[vi] + A[vi, vk]
