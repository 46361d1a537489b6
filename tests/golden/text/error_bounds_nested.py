# Two loops that count one index too far together; the same with the right factor is fine.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i, j in T.grid(n // 4, T.int64(4)):
            B[i * T.int64(4) + j] = A[i * T.int64(4) + j]
            B[i * T.int64(4) + j] = A[i * T.int64(4) + j + n % 4 + 1]
# WANT:
error_bounds_nested.py:13:13: error: f: index 0 of A is n where i = n // 4 - 1, j = 3, outside of the extent n
                B[i * T.int64(4) + j] = A[i * T.int64(4) + j + n % 4 + 1]
                ^
