# NUMBERS
# Gathers and slices.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), "float32"), i: R.Tensor(("k",), "int64")):
        n = T.int64()
        k = T.int64()
        a = R.strided_slice(x, axes=[1], begin=[1], end=[5], strides=[2])
        b = R.flip(a, axis=0)
        c = R.repeat(b, 2, axis=1)
        d = R.tile(c, [2, 1])
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def flip(var_a: T.handle, var_T_reverse_sequence: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(2)))
        T_reverse_sequence = T.match_buffer(var_T_reverse_sequence, (n, T.int64(2)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(2)):
            with T.sblock("T_reverse_sequence"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[n - v_ax0 - T.int64(1), v_ax1])
                T.writes(T_reverse_sequence[v_ax0, v_ax1])
                T_reverse_sequence[v_ax0, v_ax1] = a[n - v_ax0 - T.int64(1), v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def repeat(var_b: T.handle, var_T_repeat: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        b = T.match_buffer(var_b, (n, T.int64(2)))
        T_repeat = T.match_buffer(var_T_repeat, (n, T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_repeat"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1 // T.int64(2)])
                T.writes(T_repeat[v_ax0, v_ax1])
                T_repeat[v_ax0, v_ax1] = b[v_ax0, v_ax1 // T.int64(2)]

    @T.prim_func(private=True, s_tir=True)
    def strided_slice(var_x: T.handle, var_T_dynamic_strided_slice_with_axes: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(6)))
        T_dynamic_strided_slice_with_axes = T.match_buffer(var_T_dynamic_strided_slice_with_axes, (n, T.int64(2)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, T.int64(2)):
            with T.sblock("T_dynamic_strided_slice_with_axes"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1 * T.int64(2) + T.int64(1)])
                T.writes(T_dynamic_strided_slice_with_axes[v_ax0, v_ax1])
                T_dynamic_strided_slice_with_axes[v_ax0, v_ax1] = x[v_ax0, v_ax1 * T.int64(2) + T.int64(1)]

    @T.prim_func(private=True, s_tir=True)
    def tile(var_c: T.handle, var_T_tile: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        c = T.match_buffer(var_c, (n, T.int64(4)))
        T_tile = T.match_buffer(var_T_tile, (n * T.int64(2), T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n * T.int64(2), T.int64(4)):
            with T.sblock("T_tile"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c[v_ax0 % n, v_ax1 % T.int64(4)])
                T.writes(T_tile[v_ax0, v_ax1])
                T_tile[v_ax0, v_ax1] = c[v_ax0 % n, v_ax1 % T.int64(4)]

    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32"), i: R.Tensor(("k",), dtype="int64")) -> R.Tensor(("n * 2", 4), dtype="float32"):
        n = T.int64()
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.strided_slice, (x,), out_sinfo=R.Tensor((n, 2), dtype="float32"))
        b = R.call_tir(cls.flip, (a,), out_sinfo=R.Tensor((n, 2), dtype="float32"))
        c = R.call_tir(cls.repeat, (b,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        d = R.call_tir(cls.tile, (c,), out_sinfo=R.Tensor((n * 2, 4), dtype="float32"))
        return d
