# RUN: relax schedule --check --do 'b0 = block("A"); l1 = loop(b0, 0); b2 = block("B"); l3 = loop(b2, 0); l4 = merge(l1, l3)' %s
# FAILS: 1
# The second loop reads what a later iteration of the first one writes.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((33,), "float32"), A: T.Buffer((33,), "float32"), B: T.Buffer((32,), "float32")):
        for i in range(32):
            with T.sblock("A"):
                vi = T.axis.spatial(32, i)
                A[vi + 1] = X[vi] + T.float32(1)
        for j in range(32):
            with T.sblock("B"):
                vj = T.axis.spatial(32, j)
                B[vj] = A[vj] * T.float32(3)
# WANT:
merge_ahead.py:7:9: error: main: merge: block A writes A in one iteration of loop i, and block B reads A there in another
        def main(X: T.Buffer((33,), "float32"), A: T.Buffer((33,), "float32"), B: T.Buffer((32,), "float32")):
            ^
<trace>:1:71: note: this line of the trace does not apply
    b0 = block("A"); l1 = loop(b0, 0); b2 = block("B"); l3 = loop(b2, 0); l4 = merge(l1, l3)
                                                                          ^
