# T.assume promises; nothing is made of it, and indices are asked for all the same.
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax eval %s numbers -o in > /dev/null
# RUN: relax eval %s main x=@in/out0.npy
# RUN: relax run x.rlx -i x=@in/out0.npy | grep out
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), k: T.Buffer((T.int64(1),), "int64"), y: T.Buffer((T.int64(4),), "float32")):
        T.evaluate(T.assume(T.int64(0) <= k[T.int64(0)] and k[T.int64(0)] < T.int64(4)))
        for i in range(T.int64(4)):
            T.evaluate(T.assume(x[i] > T.float32(0)))
            y[i] = x[k[T.int64(0)]] + x[i]

    @R.function
    def numbers():
        return R.const([1, 2, 3, 4], "float32")

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        k = R.const([2], "int64")
        return R.call_tir(cls.f, (x, k), out_sinfo=R.Tensor((4,), "float32"))
# WANT:
out0: float32[4] = 4, 5, 6, 7
out0: float32[4] = 4, 5, 6, 7
