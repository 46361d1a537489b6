# A number of more than 64 bits.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(T.int64(123456789012345678901234567890))
# WANT:
error_loop_big_literal.py:8:28: error: the number '123456789012345678901234567890' does not fit in 64 bits
            T.evaluate(T.int64(123456789012345678901234567890))
                               ^
