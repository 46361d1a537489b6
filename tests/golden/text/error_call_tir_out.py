# call_tir without out_sinfo.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m, 4))
        B = T.match_buffer(b, (m, 4))
        for i, j in T.grid(m, 4):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + A[vi, vj]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.double, (x,))
        return y
# WANT:
error_call_tir_out.py:20:13: error: call_tir: out_sinfo= must say what is computed
            y = R.call_tir(cls.double, (x,))
                ^
