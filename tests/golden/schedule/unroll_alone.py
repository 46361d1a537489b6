# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 4]); unroll(l3)' %s
# The body is written out for each iteration, by the one who makes code of it.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        B = T.sblock_alloc_buffer((8, 16))
        for i, j in T.grid(8, 16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(8, 16):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 4])
# unroll(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        # with T.sblock("root"):
        B = T.sblock_alloc_buffer((8, 16))
        for i, j in T.grid(8, 16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2.0)
        for i, j_0 in T.grid(8, 4):
            for j_1 in T.unroll(4):
                with T.sblock("C"):
                    vi = T.axis.spatial(8, i)
                    vj = T.axis.spatial(16, j_0 * 4 + j_1)
                    C[vi, vj] = B[vi, vj] + T.float32(1.0)
