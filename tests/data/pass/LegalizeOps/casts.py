# NUMBERS
# Casts, clips, integer arithmetic.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), i: R.Tensor(("n", 4), "int32")):
        n = T.int64()
        a = R.astype(i, "float32")
        b = R.clip(x, -1.0, 1.0)
        c = R.add(a, b)
        d = R.floor_divide(i, R.const(3, "int32"))
        e = R.astype(d, "float32")
        f = R.multiply(c, e)
        return f
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
    def cast(var_i: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        i = T.match_buffer(var_i, (n, T.int64(4)), "int32")
        compute = T.match_buffer(var_compute, (n, T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(i[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.Cast("float32", i[v_i0, v_i1])

    @T.prim_func(private=True, s_tir=True)
    def floor_divide(var_i: T.handle, var_T_floor_divide: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        i = T.match_buffer(var_i, (n, T.int64(4)), "int32")
        T_floor_divide = T.match_buffer(var_T_floor_divide, (n, T.int64(4)), "int32")
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_floor_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(i[v_ax0, v_ax1])
                T.writes(T_floor_divide[v_ax0, v_ax1])
                T_floor_divide[v_ax0, v_ax1] = i[v_ax0, v_ax1] // 3

    @T.prim_func(private=True, s_tir=True)
    def multiply(var_c: T.handle, var_e: T.handle, var_T_multiply: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        c = T.match_buffer(var_c, (n, T.int64(4)))
        e = T.match_buffer(var_e, (n, T.int64(4)))
        T_multiply = T.match_buffer(var_T_multiply, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c[v_ax0, v_ax1], e[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = c[v_ax0, v_ax1] * e[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def tir_clip(var_x: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        compute = T.match_buffer(var_compute, (n, T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(T.min(x[v_i0, v_i1], T.float32(1.0)), T.float32(-1.0))

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), i: R.Tensor(("n", 4), dtype="int32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.cast, (i,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        b = R.call_tir(cls.tir_clip, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        c = R.call_tir(cls.add, (a, b), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        d = R.call_tir(cls.floor_divide, (i,), out_sinfo=R.Tensor((n, 4), dtype="int32"))
        e = R.call_tir(cls.cast, (d,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        f = R.call_tir(cls.multiply, (c, e), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        return f
