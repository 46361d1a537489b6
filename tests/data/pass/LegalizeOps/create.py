# NUMBERS
# Tensors made of nothing but sizes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        a = R.zeros(R.shape([n, 4]), "float32")
        b = R.full(R.shape([n, 4]), R.const(2.5, "float32"), "float32")
        c = R.add(a, b)
        d = R.ones_like(c)
        e = R.add(d, x)
        f = R.arange(0, n, 1, dtype="float32")
        g = R.expand_dims(f, axis=[1])
        h = R.add(e, g)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_a: T.handle, var_b: T.handle, var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4)))
        b = T.match_buffer(var_b, (n, T.int64(4)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1], b[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = a[v_ax0, v_ax1] + b[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def add1(var_e: T.handle, var_g: T.handle, var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        e = T.match_buffer(var_e, (n, T.int64(4)))
        g = T.match_buffer(var_g, (n, T.int64(1)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(e[v_ax0, v_ax1], g[v_ax0, T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = e[v_ax0, v_ax1] + g[v_ax0, T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def arange(var_T_arange: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        T_arange = T.match_buffer(var_T_arange, (n,))
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_arange"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads()
                T.writes(T_arange[v_ax0])
                T_arange[v_ax0] = T.Cast("float32", v_ax0)

    @T.prim_func(private=True, s_tir=True)
    def expand_dims(var_f: T.handle, var_expand_dims: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        f = T.match_buffer(var_f, (n,))
        expand_dims = T.match_buffer(var_expand_dims, (n, T.int64(1)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(1)):
            with T.sblock("expand_dims"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(f[v_i0])
                T.writes(expand_dims[v_i0, v_i1])
                expand_dims[v_i0, v_i1] = f[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def full(var_T_full: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        T_full = T.match_buffer(var_T_full, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_full"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads()
                T.writes(T_full[v_ax0, v_ax1])
                T_full[v_ax0, v_ax1] = T.float32(2.5)

    @T.prim_func(private=True, s_tir=True)
    def ones(var_T_full: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        T_full = T.match_buffer(var_T_full, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_full"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads()
                T.writes(T_full[v_ax0, v_ax1])
                T_full[v_ax0, v_ax1] = T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def zeros(var_T_full: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        T_full = T.match_buffer(var_T_full, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_full"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads()
                T.writes(T_full[v_ax0, v_ax1])
                T_full[v_ax0, v_ax1] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.zeros, R.tuple(), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        b = R.call_tir(cls.full, R.tuple(), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        c = R.call_tir(cls.add, (a, b), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        d = R.call_tir(cls.ones, R.tuple(), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        e = R.call_tir(cls.add, (d, x), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        f = R.call_tir(cls.arange, R.tuple(), out_sinfo=R.Tensor((n,), dtype="float32"))
        g = R.call_tir(cls.expand_dims, (f,), out_sinfo=R.Tensor((n, 1), dtype="float32"))
        h = R.call_tir(cls.add1, (e, g), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        return h
