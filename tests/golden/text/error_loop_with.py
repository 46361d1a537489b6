# A with that opens nothing known.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        with T.sblok("b"):
            B[0] = T.float32(0)
# WANT:
error_loop_with.py:8:9: error: 'with' opens T.sblock, T.init, T.attr, T.launch_thread, T.allocate, T.decl_buffer or T.let
            with T.sblok("b"):
            ^
