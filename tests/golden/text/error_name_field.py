# A field that buffers have not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(A.lenght)
# WANT:
error_name_field.py:8:22: error: a buffer has no field 'lenght'
            T.evaluate(A.lenght)
                         ^
