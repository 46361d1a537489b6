# A slice whose end is a vector.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((64,), "float32")):
        A[0 : A[T.Ramp(0, 1, 4)]] = T.float32(1)
# WANT:
error_slice_vector.py:8:15: error: the ends of a slice are integers of one type
            A[0 : A[T.Ramp(0, 1, 4)]] = T.float32(1)
                  ^
