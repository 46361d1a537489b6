# Two sizes that are equal for n = 0 alone.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        X = T.match_buffer(var_x, (n,))
        Y = T.match_buffer(var_y, (n * T.int64(2),))
        for i in range(n * T.int64(2)):
            with T.sblock("b"):
                vi = T.axis.spatial(n * T.int64(2), i)
                Y[vi] = X[vi // T.int64(2)]
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n,), "float32"))
            z = R.exp(y)
            R.output(z)
        return z
# WANT:
error_call_sizes.py:20:17: error: f: dim 0 of output 1 is n, want n * 2, which is n * 2 here
                y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
error_call_sizes.py:7:9: note: f is declared here
        def f(var_x: T.handle, var_y: T.handle):
            ^
