# An index too few.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0] = A[1]
# WANT:
error_loop_rank_few.py:8:16: error: buffer 'A' has 2 dims, got 1 index
            B[0] = A[1]
                   ^
