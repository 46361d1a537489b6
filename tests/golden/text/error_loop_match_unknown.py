# match_buffer of what is no parameter.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        X = T.match_buffer(n, (4,))
        X[0] = T.float32(0)
# WANT:
error_loop_match_unknown.py:8:28: error: T.match_buffer: 'n' is int32, not T.handle
            X = T.match_buffer(n, (4,))
                               ^
