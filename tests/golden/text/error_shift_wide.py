# Shifts by the width of the type, or by less than nothing.
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
            B[i] = T.Cast("float32", T.shift_left(i, T.int64(64)) + T.shift_right(i, T.int64(-1)))
# WANT:
error_shift_wide.py:12:13: error: f: T.shift_right(i, T.int64(-1)) shifts by -1; want 0 to 63
                B[i] = T.Cast("float32", T.shift_left(i, T.int64(64)) + T.shift_right(i, T.int64(-1)))
                ^
error_shift_wide.py:12:13: error: f: T.shift_left(i, T.int64(64)) shifts by 64; want 0 to 63
                B[i] = T.Cast("float32", T.shift_left(i, T.int64(64)) + T.shift_right(i, T.int64(-1)))
                ^
