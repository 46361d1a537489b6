# remap with too few letters.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i, j in T.grid(16, 16):
            with T.sblock("b"):
                vi, vj = T.axis.remap("S", [i, j])
                A[vi, vj] = T.float32(0)
# WANT:
error_loop_remap_count.py:10:17: error: T.axis.remap: 2 names, but 1 letter and 2 loops
                    vi, vj = T.axis.remap("S", [i, j])
                    ^
