# RUN: relax schedule --check --do 'b0 = block("A"); l1 = loop(b0, 0); b2 = block("C"); l3 = loop(b2, 0); l4 = merge(l1, l3)' %s
# FAILS: 1
# What stands between makes what the second loop reads.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((32,), "float32"), A: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32")):
        B = T.sblock_alloc_buffer((1,))
        for i in range(32):
            with T.sblock("A"):
                vi = T.axis.spatial(32, i)
                A[vi] = X[vi] + T.float32(1)
        with T.sblock("B"):
            B[0] = A[31] * T.float32(2)
        for j in range(32):
            with T.sblock("C"):
                vj = T.axis.spatial(32, j)
                C[vj] = A[vj] + B[0]
# WANT:
merge_between.py:7:9: error: main: merge: what stands between uses B as well
        def main(X: T.Buffer((32,), "float32"), A: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32")):
            ^
<trace>:1:71: note: this line of the trace does not apply
    b0 = block("A"); l1 = loop(b0, 0); b2 = block("C"); l3 = loop(b2, 0); l4 = merge(l1, l3)
                                                                          ^
