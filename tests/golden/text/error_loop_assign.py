# An assignment to a number.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        3 = n
# WANT:
error_loop_assign.py:8:9: error: this can't be assigned to
            3 = n
            ^
