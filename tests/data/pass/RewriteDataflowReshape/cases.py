# Not rewritten: a transposition, a reversal, an output of the block, a broadcast. Rewritten: two reshapes.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def flat(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        y = T.match_buffer(var_y, (n * T.int64(4),))
        for i in range(n * T.int64(4)):
            with T.sblock("flat"):
                vi = T.axis.spatial(n * T.int64(4), i)
                y[vi] = x[vi // T.int64(4), vi % T.int64(4)]

    @T.prim_func(private=True, s_tir=True)
    def split(x: T.Buffer((T.int64(24),), "float32"), y: T.Buffer((T.int64(2), T.int64(3), T.int64(4)), "float32")):
        for i, j, k in T.grid(T.int64(2), T.int64(3), T.int64(4)):
            with T.sblock("split"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                y[vi, vj, vk] = x[vi * T.int64(12) + vj * T.int64(4) + vk]

    @T.prim_func(private=True, s_tir=True)
    def turn(x: T.Buffer((T.int64(4), T.int64(6)), "float32"), y: T.Buffer((T.int64(6), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(6), T.int64(4)):
            with T.sblock("turn"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vj, vi]

    @T.prim_func(private=True, s_tir=True)
    def back(x: T.Buffer((T.int64(24),), "float32"), y: T.Buffer((T.int64(24),), "float32")):
        for i in range(T.int64(24)):
            with T.sblock("back"):
                vi = T.axis.spatial(T.int64(24), i)
                y[vi] = x[T.int64(23) - vi]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((24,), "float32"), w: R.Tensor((4, 6), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.flat, (x,), out_sinfo=R.Tensor((n * 4,), "float32"))
            b = R.call_tir(cls.split, (z,), out_sinfo=R.Tensor((2, 3, 4), "float32"))
            c = R.call_tir(cls.turn, (w,), out_sinfo=R.Tensor((6, 4), "float32"))
            d = R.call_tir(cls.back, (z,), out_sinfo=R.Tensor((24,), "float32"))
            e = R.exp(a)
            f = R.exp(b)
            g = R.exp(c)
            h = R.exp(d)
            i = R.call_tir(cls.split, (h,), out_sinfo=R.Tensor((2, 3, 4), "float32"))
            R.output(e, f, g, i)
        return (e, f, g, i)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def back(x: T.Buffer((T.int64(24),), "float32"), y: T.Buffer((T.int64(24),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(24)):
            with T.sblock("back"):
                vi = T.axis.spatial(T.int64(24), i)
                T.reads(x[T.int64(23) - vi])
                T.writes(y[vi])
                y[vi] = x[T.int64(23) - vi]

    @T.prim_func(private=True, s_tir=True)
    def flat(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        y = T.match_buffer(var_y, (n * T.int64(4),))
        # with T.sblock("root"):
        for i in range(n * T.int64(4)):
            with T.sblock("flat"):
                vi = T.axis.spatial(n * T.int64(4), i)
                T.reads(x[vi // T.int64(4), vi % T.int64(4)])
                T.writes(y[vi])
                y[vi] = x[vi // T.int64(4), vi % T.int64(4)]

    @T.prim_func(private=True, s_tir=True)
    def split(x: T.Buffer((T.int64(24),), "float32"), y: T.Buffer((T.int64(2), T.int64(3), T.int64(4)), "float32")):
        # with T.sblock("root"):
        for i, j, k in T.grid(T.int64(2), T.int64(3), T.int64(4)):
            with T.sblock("split"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                T.reads(x[vi * T.int64(12) + vj * T.int64(4) + vk])
                T.writes(y[vi, vj, vk])
                y[vi, vj, vk] = x[vi * T.int64(12) + vj * T.int64(4) + vk]

    @T.prim_func(private=True, s_tir=True)
    def turn(x: T.Buffer((T.int64(4), T.int64(6)), "float32"), y: T.Buffer((T.int64(6), T.int64(4)), "float32")):
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(6), T.int64(4)):
            with T.sblock("turn"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vj, vi])
                T.writes(y[vi, vj])
                y[vi, vj] = x[vj, vi]

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), z: R.Tensor((24,), dtype="float32"), w: R.Tensor((4, 6), dtype="float32")) -> R.Tuple(R.Tensor(("n * 4",), dtype="float32"), R.Tensor((2, 3, 4), dtype="float32"), R.Tensor((6, 4), dtype="float32"), R.Tensor((2, 3, 4), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n * 4,), dtype="float32") = R.reshape(x, R.shape([n * 4]))
            b: R.Tensor((2, 3, 4), dtype="float32") = R.reshape(z, R.shape([2, 3, 4]))
            c = R.call_tir(cls.turn, (w,), out_sinfo=R.Tensor((6, 4), dtype="float32"))
            d = R.call_tir(cls.back, (z,), out_sinfo=R.Tensor((24,), dtype="float32"))
            e: R.Tensor((n * 4,), dtype="float32") = R.exp(a)
            f: R.Tensor((2, 3, 4), dtype="float32") = R.exp(b)
            g: R.Tensor((6, 4), dtype="float32") = R.exp(c)
            h: R.Tensor((24,), dtype="float32") = R.exp(d)
            i = R.call_tir(cls.split, (h,), out_sinfo=R.Tensor((2, 3, 4), dtype="float32"))
            R.output(e, f, g, i)
        return (e, f, g, i)
