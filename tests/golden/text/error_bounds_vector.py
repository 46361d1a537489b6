# The lanes of a vector index.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(n // 4):
            B[T.Ramp(i * T.int64(4), T.int64(1), 4)] = A[T.Ramp(i * T.int64(4) + n, T.int64(1), 4)]
# WANT:
error_bounds_vector.py:12:13: error: f: index 0 of A is n where i = 0, outside of the extent n
                B[T.Ramp(i * T.int64(4), T.int64(1), 4)] = A[T.Ramp(i * T.int64(4) + n, T.int64(1), 4)]
                ^
