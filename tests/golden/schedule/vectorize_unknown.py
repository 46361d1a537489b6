# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); vectorize(l1)' %s
# FAILS: 1
# A vector has as many lanes as the loop iterations: they must be known.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("B"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi]
# WANT:
vectorize_unknown.py:7:9: error: main: vectorize: the extent of loop i is not constant; split it first
        def main(a: T.handle, b: T.handle):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); vectorize(l1)
                                       ^
