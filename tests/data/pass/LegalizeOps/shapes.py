# NUMBERS
# Reshape, transpose, broadcast, concatenation, split.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), "float32")):
        n = T.int64()
        a = R.reshape(x, R.shape([n, 2, 3]))
        b = R.permute_dims(a, axes=[1, 0, 2])
        c = R.concat((b, b), axis=1)
        d = R.split(c, 2, axis=0)
        e = d[1]
        f = R.broadcast_to(e, R.shape([4, n * 2, 3]))
        return f
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def broadcast_to(var_e: T.handle, var_T_broadcast_to: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        e = T.match_buffer(var_e, (T.int64(1), n * T.int64(2), T.int64(3)))
        T_broadcast_to = T.match_buffer(var_T_broadcast_to, (T.int64(4), n * T.int64(2), T.int64(3)))
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(4), n * T.int64(2), T.int64(3)):
            with T.sblock("T_broadcast_to"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(e[T.int64(0), v_ax1, v_ax2])
                T.writes(T_broadcast_to[v_ax0, v_ax1, v_ax2])
                T_broadcast_to[v_ax0, v_ax1, v_ax2] = e[T.int64(0), v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def concatenate(var_b: T.handle, var_b_1: T.handle, var_T_concat: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        b = T.match_buffer(var_b, (T.int64(2), n, T.int64(3)))
        b_1 = T.match_buffer(var_b_1, (T.int64(2), n, T.int64(3)))
        T_concat = T.match_buffer(var_T_concat, (T.int64(2), n * T.int64(2), T.int64(3)))
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(2), n * T.int64(2), T.int64(3)):
            with T.sblock("T_concat"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(b_1[v_ax0, v_ax1 - n, v_ax2], b[v_ax0, v_ax1, v_ax2])
                T.writes(T_concat[v_ax0, v_ax1, v_ax2])
                T_concat[v_ax0, v_ax1, v_ax2] = T.if_then_else(T.int64(0) <= v_ax1 - n, b_1[v_ax0, v_ax1 - n, v_ax2], b[v_ax0, v_ax1, v_ax2])

    @T.prim_func(private=True, s_tir=True)
    def reshape(var_x: T.handle, var_T_reshape: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(6)))
        T_reshape = T.match_buffer(var_T_reshape, (n, T.int64(2), T.int64(3)))
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(n, T.int64(2), T.int64(3)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[((v_ax1 * T.int64(3) + v_ax2) // T.int64(6) + v_ax0) % n, (v_ax1 * T.int64(3) + v_ax2) % T.int64(6)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2])
                T_reshape[v_ax0, v_ax1, v_ax2] = x[((v_ax1 * T.int64(3) + v_ax2) // T.int64(6) + v_ax0) % n, (v_ax1 * T.int64(3) + v_ax2) % T.int64(6)]

    @T.prim_func(private=True, s_tir=True)
    def split(var_c: T.handle, var_T_split_sections: T.handle, var_T_split_sections_1: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        c = T.match_buffer(var_c, (T.int64(2), n * T.int64(2), T.int64(3)))
        T_split_sections = T.match_buffer(var_T_split_sections, (T.int64(1), n * T.int64(2), T.int64(3)))
        T_split_sections_1 = T.match_buffer(var_T_split_sections_1, (T.int64(1), n * T.int64(2), T.int64(3)))
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), n * T.int64(2), T.int64(3)):
            with T.sblock("T_split_sections"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(c[v_ax0, v_ax1, v_ax2])
                T.writes(T_split_sections[v_ax0, v_ax1, v_ax2])
                T_split_sections[v_ax0, v_ax1, v_ax2] = c[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), n * T.int64(2), T.int64(3)):
            with T.sblock("T_split_sections_1"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(c[v_ax0 + T.int64(1), v_ax1, v_ax2])
                T.writes(T_split_sections_1[v_ax0, v_ax1, v_ax2])
                T_split_sections_1[v_ax0, v_ax1, v_ax2] = c[v_ax0 + T.int64(1), v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def transpose(var_a: T.handle, var_T_transpose: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(2), T.int64(3)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(2), n, T.int64(3)))
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(2), n, T.int64(3)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(a[v_ax1, v_ax0, v_ax2])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2])
                T_transpose[v_ax0, v_ax1, v_ax2] = a[v_ax1, v_ax0, v_ax2]

    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32")) -> R.Tensor((4, "n * 2", 3), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.reshape, (x,), out_sinfo=R.Tensor((n, 2, 3), dtype="float32"))
        b = R.call_tir(cls.transpose, (a,), out_sinfo=R.Tensor((2, n, 3), dtype="float32"))
        c = R.call_tir(cls.concatenate, (b, b), out_sinfo=R.Tensor((2, n * 2, 3), dtype="float32"))
        d = R.call_tir(cls.split, (c,), out_sinfo=[R.Tensor((1, n * 2, 3), dtype="float32"), R.Tensor((1, n * 2, 3), dtype="float32")], tir_vars=R.shape([n]))
        e: R.Tensor((1, n * 2, 3), dtype="float32") = d[1]
        f = R.call_tir(cls.broadcast_to, (e,), out_sinfo=R.Tensor((4, n * 2, 3), dtype="float32"), tir_vars=R.shape([n]))
        return f
