# Division and remainder by zero, wherever they stand.
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
            B[i // 0] = A[i % (n - n)] + T.Cast("float32", T.truncdiv(i, T.int64(0)))
# WANT:
error_zero_divisor.py:12:13: error: f: T.Div(i, 0) divides by zero
                B[i // 0] = A[i % (n - n)] + T.Cast("float32", T.truncdiv(i, T.int64(0)))
                ^
error_zero_divisor.py:12:13: error: f: i % (n - n) divides by zero
                B[i // 0] = A[i % (n - n)] + T.Cast("float32", T.truncdiv(i, T.int64(0)))
                ^
error_zero_divisor.py:12:13: error: f: i // 0 divides by zero
                B[i // 0] = A[i % (n - n)] + T.Cast("float32", T.truncdiv(i, T.int64(0)))
                ^
