# RUN: relax schedule --check --do 'b0 = block("C"); compute_inline(b0); b1 = block("D"); l2 = loop(b1, 1); b3 = decompose_reduction(b1, l2); b4 = block("B"); l5 = loop(b4, 0); l6 = loop(b1, 0); parallel(l5); parallel(l6)' %s
# A program with two results: one loop computes both.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), D: T.Buffer((32,), "float32")):
        C = T.sblock_alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj] - T.float32(2)

        for i, k in T.grid(32, 32):
            with T.sblock("D"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    D[vi] = T.float32(0)
                D[vi] = D[vi] + B[vi, vk]
# WANT:
# main: trace
# b0 = block("C")
# compute_inline(b0)
# b1 = block("D")
# l2 = loop(b1, 1)
# b3 = decompose_reduction(b1, l2)
# b4 = block("B")
# l5 = loop(b4, 0)
# parallel(l5)
# l6 = loop(b3, 0)
# parallel(l6)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), D: T.Buffer((32,), "float32")):
        # with T.sblock("root"):
        for i in T.parallel(32):
            for j in range(32):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] + T.float32(1.0) - T.float32(2.0)
        for i in T.parallel(32):
            with T.sblock("D_init"):
                vi = T.axis.spatial(32, i)
                D[vi] = T.float32(0.0)
            for k in range(32):
                with T.sblock("D"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    D[vi] = D[vi] + B[vi, vk]
