# A division that says not how to round.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(n / 2)
# WANT:
error_loop_divide.py:8:22: error: / is for floats; write // or T.truncdiv for integers: got int32 and int32
            T.evaluate(n / 2)
                         ^
