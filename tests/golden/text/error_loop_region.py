# T.reads of what is no buffer.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spatial(16, i)
                T.reads(n)
                B[v] = T.float32(0)
# WANT:
error_loop_region.py:11:25: error: want a part of a buffer such as A[0:4, i], got a scalar expression
                    T.reads(n)
                            ^
