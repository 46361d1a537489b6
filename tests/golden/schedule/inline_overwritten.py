# RUN: relax schedule --check --do 'b0 = block("C"); compute_inline(b0)' %s
# FAILS: 1
# A changes between C and its reader.
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
            with T.sblock("A"):
                vj = T.axis.spatial(32, j)
                A[0, vj] = T.float32(0)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj]
# WANT:
inline_overwritten.py:7:9: error: main: compute_inline: A, which block C reads, is written again later
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("C"); compute_inline(b0)
                     ^
