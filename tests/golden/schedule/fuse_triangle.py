# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2)' %s
# FAILS: 1
# The inner range depends on the outer loop.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        for i in range(32):
            for j in range(i):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
# WANT:
fuse_triangle.py:7:9: error: main: fuse: the range of loop j depends on loop i
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:54: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2)
                                                         ^
