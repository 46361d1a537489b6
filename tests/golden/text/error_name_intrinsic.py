# A function of loop programs that does not exist.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0] = T.expp(B[1])
# WANT:
error_name_intrinsic.py:8:16: error: T.expp is not known here; did you mean T.exp?
            B[0] = T.expp(B[1])
                   ^
