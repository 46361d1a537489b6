# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); parallel(l1)' %s
# FAILS: 1
# A running sum: the text says spatial, the accesses say otherwise.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32,), "float32"), B: T.Buffer((33,), "float32")):
        for i in range(32):
            with T.sblock("B"):
                vi = T.axis.spatial(32, i)
                B[vi + 1] = B[vi] + A[vi]
# WANT:
parallel_carried.py:7:9: error: main: parallel: block B writes B in one iteration of loop i, and block B reads B there in another
        def main(A: T.Buffer((32,), "float32"), B: T.Buffer((33,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); parallel(l1)
                                       ^
