# Loops do not run backwards.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(-4):
            B[0] = T.float32(0)
        for i in range(-n):
            B[0] = T.float32(0)
# WANT:
error_negative_loop.py:11:9: error: f: the extent of loop i is -4, which is negative
            for i in range(-4):
            ^
error_negative_loop.py:13:9: error: f: the extent of loop i is n * -1, which is negative
            for i in range(-n):
            ^
