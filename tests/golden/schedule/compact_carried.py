# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); compact(l1); parallel(l1)' %s
# FAILS: 1
# An iteration reads what the one before wrote: the buffer stays where it is, and the loop in order.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
        C = T.sblock_alloc_buffer((1,))
        with T.sblock("C0"):
            C[0] = T.float32(0)
        for i in range(32):
            with T.sblock("C"):
                vi = T.axis.opaque(32, i)
                C[0] = C[0] + A[vi]
            with T.sblock("B"):
                vi = T.axis.spatial(32, i)
                B[vi] = C[0]
# WANT:
compact_carried.py:7:9: error: main: parallel: block C writes C in one iteration of loop i, and block C reads C there in another
        def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
            ^
<trace>:1:49: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); compact(l1); parallel(l1)
                                                    ^
