# What a program writes is n * 2 long, what is said of it m: equal only if the run says so.
# RUN: relax opt --pass GuardPrograms %s | sed -n '/def main/,$p'
# RUN: relax compile %s -o x.rlx --target cpu:host > /dev/null && relax run x.rlx -i x=f32[8] -i u=f32[16] | grep -o ^out0:
# RUN: relax run x.rlx -i x=f32[8] -i u=f32[8]
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
    def main(x: R.Tensor(("n",), "float32"), u: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((m,), "float32"))
            z = R.exp(y)
            R.output(z)
        return z
# WANT:
    def main(x: R.Tensor(("n",), dtype="float32"), u: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n * 2,), dtype="float32"))
            y: R.Tensor((m,), dtype="float32") = R.match_cast(gv, R.Tensor((m,), dtype="float32"))
            z: R.Tensor((m,), dtype="float32") = R.exp(y)
            R.output(z)
        return z
out0:
relax: error: main: alloc.shape[0] is 16, but m is 8, bound by u.shape[0]
