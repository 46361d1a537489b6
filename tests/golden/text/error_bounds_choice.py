# Each side of T.if_then_else is read under its condition; the second one is wrong.
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
            B[i] = T.if_then_else(i < n - 1, A[i + 1], A[i + 1])
# WANT:
error_bounds_choice.py:12:13: error: f: index 0 of A is n where i = n - 1, outside of the extent n
                B[i] = T.if_then_else(i < n - 1, A[i + 1], A[i + 1])
                ^
