# A number that its type can not hold.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(T.int8(300))
# WANT:
error_loop_literal.py:8:27: error: the number 300 does not fit in int8
            T.evaluate(T.int8(300))
                              ^
