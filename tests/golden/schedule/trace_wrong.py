# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); paralel(l1)' %s
# FAILS: 1
# Mistakes in a trace.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        C = T.sblock_alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj]
# WANT:
<trace>:1:36: error: trace: there is no primitive paralel
    b0 = block("B"); l1 = loop(b0, 0); paralel(l1)
                                       ^
