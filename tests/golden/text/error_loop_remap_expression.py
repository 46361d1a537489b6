# remap of what is no loop.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(4):
            with T.sblock("b"):
                v, w = T.axis.remap("SS", [i, i + 1])
                B[v] = T.float32(0)
# WANT:
error_loop_remap_expression.py:10:47: error: T.axis.remap: want the variable of a loop around
                    v, w = T.axis.remap("SS", [i, i + 1])
                                                  ^
