# Views with a dim left open, and as elements of another size: dims and offset count those.
# RUN: relax fmt --canonical %s
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(64),), "float32"), y: T.Buffer((8, 8), "float32")):
        d = T.decl_buffer((T.int64(32),), data=x.data, elem_offset=16)
        a = d.view(T.int64(4), -1)
        b = d.view("float16")
        c = y.view("float64")
        a[0, 0] = T.float32(1)
        b[0] = T.float16(1)
        c[0, 0] = T.float64(1)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(64),), "float32"), y: T.Buffer((8, 8), "float32")):
        d = T.decl_buffer((T.int64(32),), elem_offset=16, data=x.data)
        a = T.decl_buffer((T.int64(4), T.int64(8)), elem_offset=16, data=x.data)
        b = T.decl_buffer((T.int64(64),), "float16", elem_offset=32, data=x.data)
        c = T.decl_buffer((8, 4), "float64", data=y.data)
        a[0, 0] = T.float32(1.0)
        b[0] = T.float16(1.0)
        c[0, 0] = T.float64(1.0)
