# An iteration variable is bound to a value outside of its domain.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(n + 1):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi]
# WANT:
error_bounds_domain.py:12:13: error: f: the iteration variable vi of block b is n where i = n, outside of the extent n
                with T.sblock("b"):
                ^
