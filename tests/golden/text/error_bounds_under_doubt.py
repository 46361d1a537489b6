# A condition that is only known at run time does not make a wrong index right.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(n):
            if A[i] > T.float32(0):
                B[i + n] = A[i]
# WANT:
error_bounds_under_doubt.py:13:17: error: f: index 0 of B is i + n, never within the extent n
                    B[i + n] = A[i]
                    ^
