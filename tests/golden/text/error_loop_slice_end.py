# A slice whose start is no integer.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16,), "float32"), p: T.handle):
        A[0:4] = A["a":4]
        A[0:4] = A[p:4]
# WANT:
error_loop_slice_end.py:8:24: error: the ends of a slice are integers of one type
            A[0:4] = A["a":4]
                           ^
error_loop_slice_end.py:9:22: error: the ends of a slice are integers of one type
            A[0:4] = A[p:4]
                         ^
