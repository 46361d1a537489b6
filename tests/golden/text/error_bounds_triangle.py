# An inner loop that ends with the outer one, and runs in its last round.
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
            for j in range(i + 1):
                B[j] = A[j + 1]
# WANT:
error_bounds_triangle.py:13:17: error: f: index 0 of A is n where j = n - 1, outside of the extent n
                    B[j] = A[j + 1]
                    ^
