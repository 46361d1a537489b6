# T.where lets one round too many through.
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax run x.rlx -i a=f32[8] -i i=i64[8]
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_i: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        I = T.match_buffer(var_i, (n,), "int64")
        B = T.match_buffer(var_b, (n,))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi = T.axis.spatial(n * T.int64(8), i * T.int64(8) + j)
                T.where(i * T.int64(8) + j <= n)
                B[vi] = A[vi]

    @R.function
    def main(a: R.Tensor(("n",), "float32"), i: R.Tensor(("n",), "int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            b = R.call_tir(cls.f, (a, i), out_sinfo=R.Tensor((n,), "float32"))
            R.output(b)
        return b
# WANT:
relax: error: main: f: index 0 of A is out of range (line 17)
