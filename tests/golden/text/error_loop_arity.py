# An intrinsic with too few arguments.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0] = T.pow(B[1])
# WANT:
error_loop_arity.py:8:16: error: T.pow: want 2 arguments, got 1
            B[0] = T.pow(B[1])
                   ^
