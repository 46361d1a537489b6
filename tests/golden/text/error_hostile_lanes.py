# A vector of a million lanes.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(T.Ramp(0, 1, 1000000))
# WANT:
error_hostile_lanes.py:8:33: error: T.Ramp: want 1 to 4096 lanes, got 1000000
            T.evaluate(T.Ramp(0, 1, 1000000))
                                    ^
