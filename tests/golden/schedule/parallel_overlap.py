# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); parallel(l1)' %s
# FAILS: 1
# Two iterations write one element.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(32):
            with T.sblock("B"):
                vi = T.axis.spatial(32, i)
                B[vi // 2] = A[vi]
# WANT:
parallel_overlap.py:7:9: error: main: parallel: block B writes B in one iteration of loop i, and block B writes B there in another
        def main(A: T.Buffer((32,), "float32"), B: T.Buffer((16,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); parallel(l1)
                                       ^
