# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); reorder(l2, l1)' %s
# FAILS: 1
# Each element needs one of the row before and the column behind: the loops can not change places.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        for i, j in T.grid(31, 31):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi + 1, vj] = B[vi, vj + 1] + A[vi, vj]
# WANT:
reorder_diagonal.py:7:9: error: main: reorder: block B writes B in one iteration of loop j, and block B reads B there in another
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:54: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); reorder(l2, l1)
                                                         ^
