# Loops that say they run at once run in order where their steps may meet, and give what the interpreter gives.
# RUN: relax opt --pass GuardPrograms %s | grep -E "def |for "
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax eval %s numbers -o in > /dev/null
# RUN: relax eval %s main x=@in/out0.npy
# RUN: relax run x.rlx -i x=@in/out0.npy | grep out
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shifts(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in range(T.int64(5)):
            y[i] = x[i]
        for i in T.vectorized(T.int64(4)):
            y[i + T.int64(1)] = y[i]

    @T.prim_func(private=True, s_tir=True)
    def counts(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        y = T.match_buffer(var_y, (n,))
        y[T.int64(0)] = x[T.int64(0)]
        for i in T.parallel(n - T.int64(1)):
            y[i + T.int64(1)] = y[i] + x[i]

    @T.prim_func(private=True, s_tir=True)
    def guarded(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in T.parallel(T.int64(5)):
            y[i] = x[i]
        for i in T.vectorized(T.int64(8)):
            if i + T.int64(1) < T.int64(5):
                with T.sblock("b"):
                    vi = T.axis.spatial(T.int64(5), i + T.int64(1))
                    y[vi] = y[vi - T.int64(1)] + T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def scatters(x: T.Buffer((T.int64(5),), "float32"), k: T.Buffer((T.int64(1),), "int64"), y: T.Buffer((T.int64(5),), "float32")):
        for i in range(T.int64(5)):
            y[i] = x[i]
        for i in T.vectorized(T.int64(4)):
            y[(i * k[T.int64(0)]) % T.int64(2)] = x[i]

    @T.prim_func(private=True, s_tir=True)
    def own_memory(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in T.vectorized(T.int64(4)):
            with T.sblock("b"):
                t = T.sblock_alloc_buffer((T.int64(1),))
                t[T.int64(0)] = x[i] * T.float32(2.0)
                y[i] = t[T.int64(0)]
        y[T.int64(4)] = T.float32(0.0)

    @T.prim_func(private=True, s_tir=True)
    def moving(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            y[i] = T.float32(0.0)
        for i in T.parallel(T.int64(4)):
            with T.sblock("b"):
                at = T.sblock_alloc_buffer((T.int64(1),), "int64")
                for j in range(T.int64(2)):
                    at[T.int64(0)] = T.int64(3) - i
                    y[i * T.int64(2) + at[T.int64(0)] % T.int64(2)] = x[i]

    @T.prim_func(private=True, s_tir=True)
    def apart(x: T.Buffer((T.int64(5),), "float32"), k: T.Buffer((T.int64(1),), "int64"), y: T.Buffer((T.int64(5),), "float32")):
        for i in T.parallel(T.int64(5)):
            y[i] = T.float32(0.0)
        for i in T.vectorized(T.int64(4)):
            y[i] = x[i + k[T.int64(0)]] + y[i]

    @R.function
    def numbers():
        return R.const([1, 2, 3, 4, 5], "float32")

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        cls = Module
        k = R.const([1], "int64")
        a = R.call_tir(cls.shifts, (x,), out_sinfo=R.Tensor((5,), "float32"))
        b = R.call_tir(cls.counts, (x,), out_sinfo=R.Tensor((5,), "float32"))
        c = R.call_tir(cls.guarded, (x,), out_sinfo=R.Tensor((5,), "float32"))
        d = R.call_tir(cls.scatters, (x, k), out_sinfo=R.Tensor((5,), "float32"))
        e = R.call_tir(cls.own_memory, (x,), out_sinfo=R.Tensor((5,), "float32"))
        f = R.call_tir(cls.moving, (x,), out_sinfo=R.Tensor((8,), "float32"))
        g = R.call_tir(cls.apart, (x, k), out_sinfo=R.Tensor((5,), "float32"))
        return (a, b, c, d, e, f, g)
# WANT:
    def shifts(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in range(T.int64(5)):
        for i in range(T.int64(4)):
    def counts(var_x: T.handle, var_y: T.handle):
        for i in range(n - T.int64(1)):
    def guarded(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in T.parallel(T.int64(5)):
        for i in range(T.int64(8)):
    def scatters(x: T.Buffer((T.int64(5),), "float32"), k: T.Buffer((T.int64(1),), "int64"), y: T.Buffer((T.int64(5),), "float32")):
        for i in range(T.int64(5)):
        for i in range(T.int64(4)):
    def own_memory(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i in range(T.int64(4)):
    def moving(x: T.Buffer((T.int64(5),), "float32"), y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
        for i in range(T.int64(4)):
                for j in range(T.int64(2)):
    def apart(x: T.Buffer((T.int64(5),), "float32"), k: T.Buffer((T.int64(1),), "int64"), y: T.Buffer((T.int64(5),), "float32")):
        for i in T.parallel(T.int64(5)):
        for i in T.vectorized(T.int64(4)):
    def numbers() -> R.Tensor((5,), dtype="float32"):
    def main(x: R.Tensor((5,), dtype="float32")) -> R.Tuple(R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((5,), dtype="float32")):
out0: float32[5] = 1, 1, 1, 1, 1
out1: float32[5] = 1, 2, 4, 7, 11
out2: float32[5] = 1, 2, 3, 4, 5
out3: float32[5] = 3, 4, 3, 4, 5
out4: float32[5] = 2, 4, 6, 8, 0
out5: float32[8] = 0, 1, 2, 0, 0, 3, ...
out6: float32[5] = 2, 3, 4, 5, 0
out0: float32[5] = 1, 1, 1, 1, 1
out1: float32[5] = 1, 2, 4, 7, 11
out2: float32[5] = 1, 2, 3, 4, 5
out3: float32[5] = 3, 4, 3, 4, 5
out4: float32[5] = 2, 4, 6, 8, 0
out5: float32[8] = 0, 1, 2, 0, 0, 3, ...
out6: float32[5] = 2, 3, 4, 5, 0
