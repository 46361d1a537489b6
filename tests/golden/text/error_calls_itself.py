# A loop program has no call stack.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            y[i] = x[i]
        Module.f(x.data, y.data)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), "float32"))
# WANT:
error_calls_itself.py:10:9: error: f calls itself, which a loop program can't; write a loop
            Module.f(x.data, y.data)
            ^
