# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); compute_inline(b0); annotate(l1, "note", 3)' %s
# FAILS: 1
# The loop went with its block.
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
annotate_gone.py:7:9: error: main: annotate: loop j is no longer there
        def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
            ^
<trace>:1:56: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 1); compute_inline(b0); annotate(l1, "note", 3)
                                                           ^
