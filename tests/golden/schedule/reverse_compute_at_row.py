# RUN: relax schedule --check --do 'b0 = block("C"); b1 = block("B"); l2 = loop(b1, 0); reverse_compute_at(b0, l2)' %s
# A consumer moves into the row that makes what it reads.
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
# b1 = block("B")
# l2 = loop(b1, 0)
# reverse_compute_at(b0, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        # with T.sblock("root"):
        B = T.sblock_alloc_buffer((8, 16))
        for i in range(8):
            for j in range(16):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] * T.float32(2.0)
            for ax1 in range(16):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, ax1])
                    C[vi, vj] = B[vi, vj] + T.float32(1.0)
