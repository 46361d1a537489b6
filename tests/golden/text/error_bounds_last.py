# The last round reads past the end, whatever n is.
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
            B[i] = A[i + 1]
# WANT:
error_bounds_last.py:12:13: error: f: index 0 of A is n where i = n - 1, outside of the extent n
                B[i] = A[i + 1]
                ^
