# Loop programs that call each other would never come to an end.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        Module.g(x.data, y.data)

    @T.prim_func(private=True, s_tir=True)
    def g(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        Module.h(x.data, y.data)

    @T.prim_func(private=True, s_tir=True)
    def h(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        Module.last(x.data, y.data)
        Module.f(x.data, y.data)
        Module.g(x.data, y.data)
        Module.h(x.data, y.data)

    @T.prim_func(private=True, s_tir=True)
    def last(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            y[i] = x[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), "float32"))
# WANT:
error_calls_in_circle.py:17:9: error: h calls f, which leads back to h: loop programs can't call in a circle; write a loop
            Module.f(x.data, y.data)
            ^
error_calls_in_circle.py:18:9: error: h calls g, which leads back to h: loop programs can't call in a circle; write a loop
            Module.g(x.data, y.data)
            ^
error_calls_in_circle.py:19:9: error: h calls itself, which a loop program can't; write a loop
            Module.h(x.data, y.data)
            ^
