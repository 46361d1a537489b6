# A condition that is a number.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        if n:
            B[0] = T.float32(0)
# WANT:
error_loop_condition.py:8:12: error: a condition is a bool, not int32
            if n:
               ^
