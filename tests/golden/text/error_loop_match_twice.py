# A parameter matched twice.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(a: T.handle):
        X = T.match_buffer(a, (4,))
        Y = T.match_buffer(a, (4,))
        X[0] = Y[0]
# WANT:
error_loop_match_twice.py:9:9: error: parameter 'a' is matched twice
            Y = T.match_buffer(a, (4,))
            ^
