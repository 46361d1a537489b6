# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2); parallel(l1)' %s
# FAILS: 1
# A loop that was fused away can not be used.
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
handle_gone.py:7:9: error: main: parallel: loop i is no longer there
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:73: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2); parallel(l1)
                                                                            ^
