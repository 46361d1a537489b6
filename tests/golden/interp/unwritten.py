# An element that was allocated but never written.
# RUN: relax eval %s f
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func
    def f(B: T.Buffer((4,), "float32")):
        with T.sblock("root"):
            A = T.sblock_alloc_buffer((4,))
            for i in range(3):
                A[i] = T.float32(1)
            for i in range(4):
                B[i] = A[i]
# WANT:
unwritten.py:13:17: error: f: read of A[3], which was never written
                    B[i] = A[i]
                    ^
