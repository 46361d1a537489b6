# A result that is written over an input has that input's size.
# RUN: relax opt --pass GuardPrograms %s | sed -n '/with R.dataflow/,$p'
# RUN: relax compile %s -o x.rlx --target cpu:host > /dev/null && relax run x.rlx -i x=f32[4] -i u=f32[8] | grep -o ^out0:
# RUN: relax run x.rlx -i x=f32[4] -i u=f32[7]
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_x: T.handle, var_u: T.handle):
        n = T.int64()
        X = T.match_buffer(var_x, (n,))
        U = T.match_buffer(var_u, (n * T.int64(2),))
        for i in range(n):
            X[i] = X[i] + U[i]
    @R.function
    def main(x: R.Tensor(("n",), "float32"), u: R.Tensor(("m",), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            x0 = R.exp(x)
            y = R.call_tir_inplace(cls.f, (x0, u), inplace_indices=[0], out_sinfo=R.Tensor((m // 2,), "float32"))
            z = R.exp(y)
            R.output(z)
        return z
# WANT:
        with R.dataflow():
            x0: R.Tensor((n,), dtype="float32") = R.exp(x)
            arg: R.Tensor((n * 2,), dtype="float32") = R.match_cast(u, R.Tensor((n * 2,), dtype="float32"))
            gv: R.Tensor((n,), dtype="float32") = R.call_tir_inplace(cls.f, (x0, arg), out_sinfo=R.Tensor((n,), dtype="float32"), inplace_indices=[0])
            y: R.Tensor((m // 2,), dtype="float32") = R.match_cast(gv, R.Tensor((m // 2,), dtype="float32"))
            z: R.Tensor((m // 2,), dtype="float32") = R.exp(y)
            R.output(z)
        return z
out0:
relax: error: main: u.shape[0] is 7, but n * 2 is 8, as n is 4, bound by x.shape[0]
