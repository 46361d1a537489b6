# A kind of loop that does not exist.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.seriel(16):
            B[i] = T.float32(0)
# WANT:
error_name_loop_kind.py:8:20: error: T.seriel is no kind of loop; did you mean T.serial?
            for i in T.seriel(16):
                       ^
