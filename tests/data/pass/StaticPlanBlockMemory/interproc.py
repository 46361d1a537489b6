# The sample interproc as it is before the pass.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def reshape(var_x: T.handle, var_T_reshape: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_reshape = T.match_buffer(var_T_reshape, (n * T.int64(4),))
        # with T.sblock("root"):
        for ax0 in range(n * T.int64(4)):
            with T.sblock("T_reshape"):
                v_ax0 = T.axis.spatial(n * T.int64(4), ax0)
                T.reads(x[v_ax0 // T.int64(4) % n, v_ax0 % T.int64(4)])
                T.writes(T_reshape[v_ax0])
                T_reshape[v_ax0] = x[v_ax0 // T.int64(4) % n, v_ax0 % T.int64(4)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(var_g: T.handle, var_T_reshape: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        g = T.match_buffer(var_g, (n * T.int64(4),))
        T_reshape = T.match_buffer(var_T_reshape, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(g[(v_ax0 * T.int64(4) + v_ax1) % (n * T.int64(4))])
                T.writes(T_reshape[v_ax0, v_ax1])
                T_reshape[v_ax0, v_ax1] = g[(v_ax0 * T.int64(4) + v_ax1) % (n * T.int64(4))]

    @T.prim_func(private=True, s_tir=True)
    def tir_exp(var_v: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        m = T.int64()
        v = T.match_buffer(var_v, (m,))
        compute = T.match_buffer(var_compute, (m,))
        # with T.sblock("root"):
        for i0 in range(m):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(m, i0)
                T.reads(v[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(v[v_i0])

    @R.function(private=True)
    def subfn(a: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc3: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((m,), dtype="float32"),))
        cls.tir_exp(a, alloc3)
        b: R.Tensor((m,), dtype="float32") = alloc3
        return b

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1), sh: R.Shape(["k"])) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Shape(ndim=3)):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        m = T.int64()
        alloc: R.Tensor((n * 4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n * 4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n * 4,), dtype="float32"),))
        cls.reshape(x, alloc)
        f: R.Tensor((n * 4,), dtype="float32") = alloc
        g: R.Tensor((n * 4,), dtype="float32") = cls.subfn(f)
        u: R.Tensor(dtype="float32", ndim=1) = R.call_packed("relax.run.unique", y, R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(0), sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        v: R.Tensor((m,), dtype="float32") = R.match_cast(u, R.Tensor((m,), dtype="float32"))
        alloc1: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((m,), dtype="float32"),))
        cls.tir_exp(v, alloc1)
        w: R.Tensor((m,), dtype="float32") = alloc1
        d: R.Shape([n, m, n + k]) = R.shape([n, m, n + k])
        alloc2: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 4), dtype="float32"),))
        cls.reshape1(g, alloc2)
        r: R.Tensor((n, 4), dtype="float32") = alloc2
        return (r, w, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def reshape(var_x: T.handle, var_T_reshape: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_reshape = T.match_buffer(var_T_reshape, (n * T.int64(4),))
        # with T.sblock("root"):
        for ax0 in range(n * T.int64(4)):
            with T.sblock("T_reshape"):
                v_ax0 = T.axis.spatial(n * T.int64(4), ax0)
                T.reads(x[v_ax0 // T.int64(4) % n, v_ax0 % T.int64(4)])
                T.writes(T_reshape[v_ax0])
                T_reshape[v_ax0] = x[v_ax0 // T.int64(4) % n, v_ax0 % T.int64(4)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(var_g: T.handle, var_T_reshape: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        g = T.match_buffer(var_g, (n * T.int64(4),))
        T_reshape = T.match_buffer(var_T_reshape, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(g[(v_ax0 * T.int64(4) + v_ax1) % (n * T.int64(4))])
                T.writes(T_reshape[v_ax0, v_ax1])
                T_reshape[v_ax0, v_ax1] = g[(v_ax0 * T.int64(4) + v_ax1) % (n * T.int64(4))]

    @T.prim_func(private=True, s_tir=True)
    def tir_exp(var_v: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        m = T.int64()
        v = T.match_buffer(var_v, (m,))
        compute = T.match_buffer(var_compute, (m,))
        # with T.sblock("root"):
        for i0 in range(m):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(m, i0)
                T.reads(v[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(v[v_i0])

    @R.function(private=True)
    def subfn(a: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc3: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.tir_exp(a, alloc3)
        b: R.Tensor((m,), dtype="float32") = alloc3
        return b

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1), sh: R.Shape(["k"])) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Shape(ndim=3)):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        m = T.int64()
        alloc: R.Tensor((n * 4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n * 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.reshape(x, alloc)
        f: R.Tensor((n * 4,), dtype="float32") = alloc
        g: R.Tensor((n * 4,), dtype="float32") = cls.subfn(f)
        u: R.Tensor(dtype="float32", ndim=1) = R.call_packed("relax.run.unique", y, R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(0), sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        v: R.Tensor((m,), dtype="float32") = R.match_cast(u, R.Tensor((m,), dtype="float32"))
        alloc1: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.tir_exp(v, alloc1)
        w: R.Tensor((m,), dtype="float32") = alloc1
        d: R.Shape([n, m, n + k]) = R.shape([n, m, n + k])
        alloc2: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.reshape1(g, alloc2)
        r: R.Tensor((n, 4), dtype="float32") = alloc2
        return (r, w, d)
