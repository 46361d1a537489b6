# T.where without a condition.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spatial(16, i)
                T.where(i + 1)
                B[v] = T.float32(0)
# WANT:
error_loop_where.py:11:25: error: T.where: want a condition
                    T.where(i + 1)
                            ^
