# Two variables for three loops.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i, j in T.grid(2, 3, 4):
            A[i, j] = T.float32(0)
# WANT:
error_loop_count.py:8:13: error: 2 variables for 3 loops
            for i, j in T.grid(2, 3, 4):
                ^
