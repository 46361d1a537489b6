# A parameter of a kind that programs have not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(x: R.Tensor((4,), "float32")):
        pass
# WANT:
error_loop_parameter.py:7:14: error: parameter 'x': want T.handle, T.Buffer(...) or a type such as T.int64, got an annotation
        def f(x: R.Tensor((4,), "float32")):
                 ^
