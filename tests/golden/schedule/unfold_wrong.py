# RUN: relax schedule --do 'b0 = block("C"); l1 = loop(b0, 0); unfold(b0, l1)' %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("C"):
                vi = T.axis.spatial(8, i)
                C[vi] = A[vi] + A[vi] * T.float32(2)
# WANT:
unfold_wrong.py:6:9: error: main: unfold: block C does not add a sum to its element
        def main(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 0); unfold(b0, l1)
                                       ^
