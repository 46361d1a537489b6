# A loop over what is no range.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in A:
            B[i] = T.float32(0)
# WANT:
error_loop_iterable.py:8:18: error: a loop runs over range(...), T.serial(...), T.grid(...) and the like
            for i in A:
                     ^
