# A store to a buffer that is not there.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            C[i] = T.float32(0)
# WANT:
error_loop_unknown_buffer.py:9:13: error: 'C' is not defined
                C[i] = T.float32(0)
                ^
