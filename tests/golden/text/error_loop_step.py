# Steps that lead nowhere.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        for i in range(0, 16, 0):
            A[i] = T.float32(1.0)
        for i in range(16, 0, -1):
            A[i] = T.float32(1.0)
        for i in T.serial(16, step=1.5):
            A[i] = T.float32(1.0)
# WANT:
error_loop_step.py:8:31: error: the step of a loop is at least 1
            for i in range(0, 16, 0):
                                  ^
error_loop_step.py:10:31: error: the step of a loop is at least 1
            for i in range(16, 0, -1):
                                  ^
error_loop_step.py:12:36: error: the step of a loop has the type of its bounds
            for i in T.serial(16, step=1.5):
                                       ^
