# NUMBERS
# Normalisations with weights.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), g: R.Tensor((8,), "float32"), b: R.Tensor((8,), "float32")):
        n = T.int64()
        a = R.nn.layer_norm(x, g, b, axes=[-1], epsilon=1e-5)
        c = R.nn.rms_norm(a, g, axes=[-1], epsilon=1e-5)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def layer_norm(var_x: T.handle, g: T.Buffer((T.int64(8),), "float32"), b: T.Buffer((T.int64(8),), "float32"), var_T_layer_norm: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)))
        T_layer_norm = T.match_buffer(var_T_layer_norm, (n, T.int64(8)))
        # with T.sblock("root"):
        x_sum = T.sblock_alloc_buffer((n,))
        x_mean = T.sblock_alloc_buffer((n,))
        x_var_sum = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(8)):
            with T.sblock("x_sum"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_sum[v_ax0])
                with T.init():
                    x_sum[v_ax0] = T.float32(0.0)
                x_sum[v_ax0] = x_sum[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("x_mean"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_sum[v_ax0])
                T.writes(x_mean[v_ax0])
                x_mean[v_ax0] = x_sum[v_ax0] / T.float32(8.0)
        for ax0, k1 in T.grid(n, T.int64(8)):
            with T.sblock("x_var_sum"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1], x_mean[v_ax0])
                T.writes(x_var_sum[v_ax0])
                with T.init():
                    x_var_sum[v_ax0] = T.float32(0.0)
                x_var_sum[v_ax0] = x_var_sum[v_ax0] + (x[v_ax0, v_k1] - x_mean[v_ax0]) * (x[v_ax0, v_k1] - x_mean[v_ax0])
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.sblock("T_layer_norm"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], x_mean[v_ax0], x_var_sum[v_ax0], g[v_ax1], b[v_ax1])
                T.writes(T_layer_norm[v_ax0, v_ax1])
                T_layer_norm[v_ax0, v_ax1] = (x[v_ax0, v_ax1] - x_mean[v_ax0]) * T.rsqrt(x_var_sum[v_ax0] / T.float32(8.0) + T.float32(1.0000000000000001e-05)) * g[v_ax1] + b[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def rms_norm(var_a: T.handle, g: T.Buffer((T.int64(8),), "float32"), var_T_cast: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(8)))
        T_cast = T.match_buffer(var_T_cast, (n, T.int64(8)))
        # with T.sblock("root"):
        T_cast_1 = T.sblock_alloc_buffer((n, T.int64(8)))
        T_multiply = T.sblock_alloc_buffer((n, T.int64(8)))
        T_multiply_red = T.sblock_alloc_buffer((n,))
        rsqrt = T.sblock_alloc_buffer((n,))
        T_cast_2 = T.sblock_alloc_buffer((T.int64(8),))
        T_rms_norm = T.sblock_alloc_buffer((n, T.int64(8)))
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.sblock("T_cast"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1])
                T.writes(T_cast_1[v_ax0, v_ax1])
                T_cast_1[v_ax0, v_ax1] = a[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_cast_1[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_cast_1[v_ax0, v_ax1] * T_cast_1[v_ax0, v_ax1]
        for ax0, k1 in T.grid(n, T.int64(8)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_multiply[v_ax0, v_k1])
                T.writes(T_multiply_red[v_ax0])
                with T.init():
                    T_multiply_red[v_ax0] = T.float32(0.0)
                T_multiply_red[v_ax0] = T_multiply_red[v_ax0] + T_multiply[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("rsqrt"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_red[v_ax0])
                T.writes(rsqrt[v_ax0])
                rsqrt[v_ax0] = T.rsqrt(T_multiply_red[v_ax0] / T.float32(8.0) + T.float32(1.0000000000000001e-05))
        for ax0 in range(T.int64(8)):
            with T.sblock("T_cast_1"):
                v_ax0 = T.axis.spatial(T.int64(8), ax0)
                T.reads(g[v_ax0])
                T.writes(T_cast_2[v_ax0])
                T_cast_2[v_ax0] = g[v_ax0]
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.sblock("T_rms_norm"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(rsqrt[v_ax0], T_cast_1[v_ax0, v_ax1], T_cast_2[v_ax1])
                T.writes(T_rms_norm[v_ax0, v_ax1])
                T_rms_norm[v_ax0, v_ax1] = rsqrt[v_ax0] * T_cast_1[v_ax0, v_ax1] * T_cast_2[v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.sblock("T_cast_2"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_rms_norm[v_ax0, v_ax1])
                T.writes(T_cast[v_ax0, v_ax1])
                T_cast[v_ax0, v_ax1] = T_rms_norm[v_ax0, v_ax1]

    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), g: R.Tensor((8,), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.layer_norm, (x, g, b), out_sinfo=R.Tensor((n, 8), dtype="float32"))
        c = R.call_tir(cls.rms_norm, (a, g), out_sinfo=R.Tensor((n, 8), dtype="float32"))
        return c
