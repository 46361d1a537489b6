# A destination without a dtype.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        X = T.match_buffer(var_x, (n,))
        Y = T.match_buffer(var_y, (n,))
        for i in range(n):
            Y[i] = X[i]
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n,), "void"))
        return y
# WANT:
error_call_tir_dtype.py:17:13: error: call_tir: out_sinfo: want the dtype of output 1 as well, got R.Tensor((n,))
            y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n,), "void"))
                ^
