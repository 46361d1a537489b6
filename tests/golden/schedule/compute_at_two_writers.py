# RUN: relax schedule --check --do 'b0 = block("C"); b1 = block("B"); l2 = loop(b1, 0); compute_at(b0, l2)' %s
# FAILS: 1
# A second block writes C: moving the first one alone would undo it.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        C = T.sblock_alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for j in range(32):
            with T.sblock("C_first"):
                vj = T.axis.spatial(32, j)
                C[0, vj] = T.float32(0)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj]
# WANT:
compute_at_two_writers.py:7:9: error: main: compute_at: C is written by several blocks
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:53: note: this line of the trace does not apply
    b0 = block("C"); b1 = block("B"); l2 = loop(b1, 0); compute_at(b0, l2)
                                                        ^
