@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def views(x: T.Buffer((T.int64(64),), "float32"), y: T.Buffer((8, 8), "float32")):
        a = T.decl_buffer((T.int64(32),), data=x.data, elem_offset=0)
        b = a.view(T.int64(4), T.int64(8))
        c = y.view(T.int64(64))
        d = T.decl_buffer((T.int64(32),), data=x.data, elem_offset=16, offset_factor=4, align=16)
        e = d.view(T.int64(16), T.int64(2))
        f = e.view(-1)
        g = y.view(2, -1)
        b[0, 0] = T.float32(1)
        c[0] = T.float32(1)
        e[0, 0] = T.float32(1)
        f[0] = T.float32(1)
        g[0, 0] = T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def annotated(x: T.Buffer((T.int64(4), T.int64(16)), "float32"), y: T.Buffer((T.int64(4), T.int64(16)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(16)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                z = T.Buffer((T.int64(64),), data=x.data)
                w = T.Buffer((T.int64(64),), data=y.data)
                T.sblock_attr({"layout_free_placeholders": [z, w], "other": z})
                y[vi, vj] = x[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def types(x: T.Buffer((T.int64(16),), "float32"), y: T.Buffer((16,), "float32")):
        with T.sblock("a"):
            vi = T.axis.spatial(1, T.int64(0))
            x[vi] = T.Cast("float32", x[vi])
        with T.sblock("a"):
            vi = T.axis.spatial(T.int64(1), 0)
            x[T.Cast("int64", vi)] = T.float32(1)
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                x[vi] = T.float32(1)
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                x[vi] = T.float32(1)
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.reduce((1, 4), T.Cast("int64", i))
                y[vi] = T.float32(1)
