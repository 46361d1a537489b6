# Names of locals, symbols and loop variables do not count, nor the order of functions.
# RUN: sed 's/\bn\b/rows/g; s/\bvi\b/v/g; s/\bi\b/k/g; s/\by\b/sum/g; s/\bA\b/X/g' %s > other.py && relax diff %s other.py
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("copy"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi]

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n,), "float32"))
        return y
# WANT:
