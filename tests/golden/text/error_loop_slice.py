# A slice whose size is not known.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0:n] = T.float32(0)
# WANT:
error_loop_slice.py:8:9: error: a slice that is loaded or stored has a constant size
            B[0:n] = T.float32(0)
            ^
