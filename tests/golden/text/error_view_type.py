# A view as elements that don't divide the others' size.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(y: T.Buffer((8, 8), "float32"), z: T.Buffer((8, 8), "float32x4")):
        c = y.view("float32x4")
        d = z.view("int4")
        c[0, 0] = d[0, 0]
# WANT:
error_view_type.py:8:15: error: 'y' can't be seen as float32x4
            c = y.view("float32x4")
                  ^
error_view_type.py:9:15: error: 'z' can't be seen as int4
            d = z.view("int4")
                  ^
