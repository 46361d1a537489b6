# The sample callpacked_if as it is before the pass.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_x: T.handle, var_x_1: T.handle, var_T_add: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        x_1 = T.match_buffer(var_x_1, (n,))
        T_add = T.match_buffer(var_T_add, (n,))
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], x_1[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + x_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply(var_x: T.handle, var_x_1: T.handle, var_T_multiply: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        x_1 = T.match_buffer(var_x_1, (n,))
        T_multiply = T.match_buffer(var_T_multiply, (n,))
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], x_1[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_exp(var_y: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        y = T.match_buffer(var_y, (n,))
        compute = T.match_buffer(var_compute, (n,))
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(y[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(y[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_negative(var_y: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        y = T.match_buffer(var_y, (n,))
        compute = T.match_buffer(var_compute, (n,))
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(y[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = y[v_i0] * T.float32(-1.0)

    @R.function
    def lib(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.call_dps_packed("my.ext_norm", (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        return a

    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if c:
            y = R.call_tir(cls.add, (x, x), out_sinfo=R.Tensor((n,), dtype="float32"))
            z_then = R.call_tir(cls.tir_exp, (y,), out_sinfo=R.Tensor((n,), dtype="float32"))
            z: R.Tensor(dtype="float32", ndim=1) = z_then
        else:
            y = R.call_tir(cls.multiply, (x, x), out_sinfo=R.Tensor((n,), dtype="float32"))
            z_else = R.call_tir(cls.tir_negative, (y,), out_sinfo=R.Tensor((n,), dtype="float32"))
            z: R.Tensor(dtype="float32", ndim=1) = z_else
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_x: T.handle, var_x_1: T.handle, var_T_add: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        x_1 = T.match_buffer(var_x_1, (n,))
        T_add = T.match_buffer(var_T_add, (n,))
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], x_1[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + x_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply(var_x: T.handle, var_x_1: T.handle, var_T_multiply: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        x_1 = T.match_buffer(var_x_1, (n,))
        T_multiply = T.match_buffer(var_T_multiply, (n,))
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], x_1[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_exp(var_y: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        y = T.match_buffer(var_y, (n,))
        compute = T.match_buffer(var_compute, (n,))
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(y[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(y[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_negative(var_y: T.handle, var_compute: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        y = T.match_buffer(var_y, (n,))
        compute = T.match_buffer(var_compute, (n,))
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(y[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = y[v_i0] * T.float32(-1.0)

    @R.function
    def lib(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        alloc: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 4), dtype="float32"),))
        _: R.Object = R.call_packed("my.ext_norm", x, alloc)
        a: R.Tensor((n, 4), dtype="float32") = alloc
        return a

    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if c:
            alloc1: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
            cls.add(x, x, alloc1)
            y: R.Tensor((n,), dtype="float32") = alloc1
            alloc2: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
            cls.tir_exp(y, alloc2)
            z_then: R.Tensor((n,), dtype="float32") = alloc2
            z: R.Tensor((n,), dtype="float32") = z_then
        else:
            alloc3: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
            cls.multiply(x, x, alloc3)
            y: R.Tensor((n,), dtype="float32") = alloc3
            alloc4: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n,), dtype="float32"),))
            cls.tir_negative(y, alloc4)
            z_else: R.Tensor((n,), dtype="float32") = alloc4
            z: R.Tensor((n,), dtype="float32") = z_else
        return z
