# NUMBERS
# Comparisons, logic and where.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        a = R.less(x, y)
        b = R.greater_equal(x, R.const(0.0, "float32"))
        c = R.logical_and(a, b)
        d = R.where(c, x, y)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def greater_equal(var_x: T.handle, var_T_greater_equal: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_greater_equal = T.match_buffer(var_T_greater_equal, (n, T.int64(4)), "bool")
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_greater_equal"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1])
                T.writes(T_greater_equal[v_ax0, v_ax1])
                T_greater_equal[v_ax0, v_ax1] = T.float32(0.0) <= x[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def less(var_x: T.handle, y: T.Buffer((T.int64(4),), "float32"), var_T_less: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_less = T.match_buffer(var_T_less, (n, T.int64(4)), "bool")
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_less"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], y[v_ax1])
                T.writes(T_less[v_ax0, v_ax1])
                T_less[v_ax0, v_ax1] = x[v_ax0, v_ax1] < y[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def logical_and(var_a: T.handle, var_b: T.handle, var_T_logical_and: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4)), "bool")
        b = T.match_buffer(var_b, (n, T.int64(4)), "bool")
        T_logical_and = T.match_buffer(var_T_logical_and, (n, T.int64(4)), "bool")
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_logical_and"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1], b[v_ax0, v_ax1])
                T.writes(T_logical_and[v_ax0, v_ax1])
                T_logical_and[v_ax0, v_ax1] = a[v_ax0, v_ax1] and b[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def where(var_c: T.handle, var_x: T.handle, y: T.Buffer((T.int64(4),), "float32"), var_T_where: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        c = T.match_buffer(var_c, (n, T.int64(4)), "bool")
        x = T.match_buffer(var_x, (n, T.int64(4)))
        T_where = T.match_buffer(var_T_where, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_where"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c[v_ax0, v_ax1], x[v_ax0, v_ax1], y[v_ax1])
                T.writes(T_where[v_ax0, v_ax1])
                T_where[v_ax0, v_ax1] = T.Select(T.int64(0) < T.Cast("int64", c[v_ax0, v_ax1]), x[v_ax0, v_ax1], y[v_ax1])

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.less, (x, y), out_sinfo=R.Tensor((n, 4), dtype="bool"))
        b = R.call_tir(cls.greater_equal, (x,), out_sinfo=R.Tensor((n, 4), dtype="bool"))
        c = R.call_tir(cls.logical_and, (a, b), out_sinfo=R.Tensor((n, 4), dtype="bool"))
        d = R.call_tir(cls.where, (c, x, y), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        return d
