# A vector stored to a scalar.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0] = T.Broadcast(T.float32(1), 4)
# WANT:
error_loop_lanes.py:8:9: error: 4 lanes are stored to a place of 1
            B[0] = T.Broadcast(T.float32(1), 4)
            ^
