# A box of which the place is read from memory.
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax run x.rlx -i a=f32[16] -i i=i64[16] | grep -o ^out0:
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
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                part = T.match_buffer(A[I[vi] + T.int64(8):I[vi] + T.int64(9)], (T.int64(1),), offset_factor=1)
                B[vi] = part[0]

    @R.function
    def main(a: R.Tensor(("n",), "float32"), i: R.Tensor(("n",), "int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            b = R.call_tir(cls.f, (a, i), out_sinfo=R.Tensor((n,), "float32"))
            R.output(b)
        return b
# WANT:
out0:
relax: error: main: f: the begin of part in dim 0 of A is out of range (line 15)
