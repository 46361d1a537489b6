# A loop program that calls one that is nowhere.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        Module.g(A.data)
# WANT:
error_name_later_function.py:8:16: error: the module has no function 'g'
            Module.g(A.data)
                   ^
