# A thread loop without its thread.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.thread_binding(16):
            B[i] = T.float32(0)
# WANT:
error_loop_thread.py:8:20: error: T.thread_binding: argument 'thread' is missing
            for i in T.thread_binding(16):
                       ^
