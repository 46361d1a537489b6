# A loop with a step.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(0, 16, 2):
            B[i] = T.float32(0)
# WANT:
error_loop_step.py:8:31: error: loops have step 1 here; write i * 2 where the variable is used
            for i in range(0, 16, 2):
                                  ^
