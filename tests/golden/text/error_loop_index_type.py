# An index that is no integer.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[B[0]] = T.float32(0)
# WANT:
error_loop_index_type.py:8:11: error: 'B': an index is an integer, not float32
            B[B[0]] = T.float32(0)
              ^
