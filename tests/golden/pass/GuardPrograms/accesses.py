# Assertions in front of what is not proved, inner tables first; under a choice, only of the side that is taken.
# RUN: relax opt --pass GuardPrograms %s | sed -n '/def f/,/def main/p'
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_i: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        I = T.match_buffer(var_i, (n,), "int64")
        B = T.match_buffer(var_b, (n,))
        for i in range(n):
            B[i] = T.if_then_else(I[i] >= T.int64(0), A[I[I[i]] + T.int64(8)], A[I[i] + T.int64(15)])

    @R.function
    def main(a: R.Tensor(("n",), "float32"), i: R.Tensor(("n",), "int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            b = R.call_tir(cls.f, (a, i), out_sinfo=R.Tensor((n,), "float32"))
            R.output(b)
        return b
# WANT:
    def f(var_a: T.handle, var_i: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        I_ = T.match_buffer(var_i, (n,), "int64")
        B = T.match_buffer(var_b, (n,))
        for i in range(n):
            assert T.if_then_else(I_[i] >= T.int64(0), T.int64(0) <= I_[i] and I_[i] < n, T.bool(True)), ("RuntimeError", ["index 0 of I is out of range (line 12)"])
            assert T.if_then_else(I_[i] >= T.int64(0), T.int64(0) <= I_[I_[i]] + T.int64(8) and I_[I_[i]] + T.int64(8) < n, T.bool(True)), ("RuntimeError", ["index 0 of A is out of range (line 12)"])
            assert T.if_then_else(not I_[i] >= T.int64(0), T.int64(0) <= I_[i] + T.int64(15) and I_[i] + T.int64(15) < n, T.bool(True)), ("RuntimeError", ["index 0 of A is out of range (line 12)"])
            B[i] = T.if_then_else(I_[i] >= T.int64(0), A[I_[I_[i]] + T.int64(8)], A[I_[i] + T.int64(15)])

    @R.function
    def main(a: R.Tensor(("n",), dtype="float32"), i: R.Tensor(("n",), dtype="int64")) -> R.Tensor(("n",), dtype="float32"):
