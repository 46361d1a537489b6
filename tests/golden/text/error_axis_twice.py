# A name for two iteration variables of a block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i, j in T.grid(n, n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                vi = T.axis.spatial(n, j)
                B[vi] = A[vi]
# WANT:
error_axis_twice.py:14:17: error: vi is an iteration variable of this block already
                    vi = T.axis.spatial(n, j)
                    ^
