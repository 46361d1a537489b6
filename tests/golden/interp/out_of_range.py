# An access outside of its buffer names the buffer, the index, the extent and the line.
# RUN: relax eval %s shift n=4
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func
    def shift(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(n):
            with T.sblock("shift"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi * T.int64(2)]
# WANT:
out_of_range.py:14:17: error: shift: read of A[4]: index 0 is 4, outside of the extent 4
                    B[vi] = A[vi * T.int64(2)]
                    ^
