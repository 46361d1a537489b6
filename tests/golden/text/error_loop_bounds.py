# A loop over a float.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(T.float32(4)):
            B[i] = T.float32(0)
# WANT:
error_loop_bounds.py:8:24: error: the bounds of a loop are integers
            for i in range(T.float32(4)):
                           ^
