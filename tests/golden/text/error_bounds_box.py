# A box that reaches past the end of what it is taken from.
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
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(A[vi:vi + 2])
                T.writes(B[vi])
                part = T.match_buffer(A[vi:vi + 2], (T.int64(2),), offset_factor=1)
                B[vi] = part[0]
# WANT:
error_bounds_box.py:12:13: error: f: the end of part in dim 0 of A is n + 1 where i = n - 1, outside of [0, n]
                with T.sblock("b"):
                ^
