# An index too many.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0, 1] = T.float32(0)
# WANT:
error_loop_rank.py:8:9: error: buffer 'B' has 1 dim, got at least 2 indices
            B[0, 1] = T.float32(0)
            ^
