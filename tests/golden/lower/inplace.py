# RUN: relax opt --pass AnnotateInplace,UseInplaceCalls %s | grep -e 'rx.inplace' -e 'R.call_tir' -e 'def '
# b is written over a, whose last use it is; c over b, seen as a view of it; d must not be written over x (a parameter),
# nor e over d, which is used later; the reduction f reads other elements than it writes.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_a: T.handle, var_b: T.handle, var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4)))
        b = T.match_buffer(var_b, (n, T.int64(4)))
        c = T.match_buffer(var_c, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                c[vi, vj] = a[vi, vj] + b[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def flip(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("flip"):
                vi = T.axis.spatial(T.int64(4), i)
                c[vi] = a[T.int64(3) - vi]

    @T.prim_func(private=True, s_tir=True)
    def scan(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
        for i, k in T.grid(T.int64(4), T.int64(4)):
            with T.sblock("scan"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    c[vi] = T.float32(0)
                c[vi] = c[vi] + a[vi]

    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
        for i, k in T.grid(T.int64(4), T.int64(2)):
            with T.sblock("twice"):
                vi, vk = T.axis.remap("SS", [i, k])
                c[vi] = a[vi] + T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def exp(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("exp"):
                vi = T.axis.spatial(T.int64(4), i)
                c[vi] = T.exp(a[vi])

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.add, (x, y), out_sinfo=R.Tensor((n, 4), "float32"))
            b = R.call_tir(cls.add, (a, y), out_sinfo=R.Tensor((n, 4), "float32"))
            v = R.reshape(b, R.shape([n, 4]))
            c = R.call_tir(cls.add, (v, x), out_sinfo=R.Tensor((n, 4), "float32"))
            d = R.call_tir(cls.add, (x, c), out_sinfo=R.Tensor((n, 4), "float32"))
            e = R.call_tir(cls.add, (d, y), out_sinfo=R.Tensor((n, 4), "float32"))
            s = R.call_tir(cls.add, (d, d), out_sinfo=R.Tensor((n, 4), "float32"))
            g = R.call_tir(cls.add, (e, s), out_sinfo=R.Tensor((n, 4), "float32"))
            R.output(g)
        return g

    @R.function
    def kept(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4,), "float32"))
            b = R.call_tir(cls.flip, (a,), out_sinfo=R.Tensor((4,), "float32"))
            c = R.call_tir(cls.scan, (b,), out_sinfo=R.Tensor((4,), "float32"))
            t = R.call_tir(cls.twice, (c,), out_sinfo=R.Tensor((4,), "float32"))
            d = R.call_tir(cls.exp, (t,), out_sinfo=R.Tensor((4,), "float32"))
            v = R.reshape(d, R.shape([4]))
            w = R.call_tir(cls.exp, (d,), out_sinfo=R.Tensor((4,), "float32"))
            z = R.call_tir(cls.exp, (w,), out_sinfo=R.Tensor((4,), "float32"))
            u = (v, w, z)
            R.output(u)
        return u
# WANT:
    def add(var_a: T.handle, var_b: T.handle, var_c: T.handle):
        T.func_attr({"rx.inplace": [0, 1]})
    def flip(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
    def scan(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
    def twice(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
    def exp(a: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"rx.inplace": [0]})
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
            a = R.call_tir(cls.add, (x, y), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            b: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (a, y), out_sinfo=R.Tensor((n, 4), dtype="float32"), inplace_indices=[0])
            c: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (v, x), out_sinfo=R.Tensor((n, 4), dtype="float32"), inplace_indices=[0])
            d: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.add_inplace1, (x, c), out_sinfo=R.Tensor((n, 4), dtype="float32"), inplace_indices=[1])
            e = R.call_tir(cls.add, (d, y), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            s = R.call_tir(cls.add, (d, d), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            g: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (e, s), out_sinfo=R.Tensor((n, 4), dtype="float32"), inplace_indices=[0])
    def kept(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
            a = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            b = R.call_tir(cls.flip, (a,), out_sinfo=R.Tensor((4,), dtype="float32"))
            c = R.call_tir(cls.scan, (b,), out_sinfo=R.Tensor((4,), dtype="float32"))
            t = R.call_tir(cls.twice, (c,), out_sinfo=R.Tensor((4,), dtype="float32"))
            d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.exp_inplace, (t,), out_sinfo=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
            w = R.call_tir(cls.exp, (d,), out_sinfo=R.Tensor((4,), dtype="float32"))
            z = R.call_tir(cls.exp, (w,), out_sinfo=R.Tensor((4,), dtype="float32"))
    def add_inplace(var_a: T.handle, var_b: T.handle):
    def add_inplace1(var_a: T.handle, var_b: T.handle):
    def exp_inplace(a: T.Buffer((T.int64(4),), "float32")):
