# NUMBERS
# A convolution and a pooling.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 8, 8), "float32"), w: R.Tensor((3, 2, 3, 3), "float32")):
        n = T.int64()
        a = R.nn.conv2d(x, w, padding=[1, 1, 1, 1])
        b = R.nn.max_pool2d(a, pool_size=[2, 2], strides=[2, 2])
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def conv2d(var_x: T.handle, w: T.Buffer((T.int64(3), T.int64(2), T.int64(3), T.int64(3)), "float32"), var_conv2d_nchw: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(2), T.int64(8), T.int64(8)))
        conv2d_nchw = T.match_buffer(var_conv2d_nchw, (n, T.int64(3), T.int64(8), T.int64(8)))
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((n, T.int64(2), T.int64(10), T.int64(10)))
        for i0, i1, i2, i3 in T.grid(n, T.int64(2), T.int64(10), T.int64(10)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(9) and T.int64(1) <= v_i3 and v_i3 < T.int64(9), x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(n, T.int64(3), T.int64(8), T.int64(8), T.int64(2), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], w[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * w[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def max_pool2d(var_a: T.handle, var_pool_max: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(3), T.int64(8), T.int64(8)))
        pool_max = T.match_buffer(var_pool_max, (n, T.int64(3), T.int64(4), T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3, rv0, rv1 in T.grid(n, T.int64(3), T.int64(4), T.int64(4), T.int64(2), T.int64(2)):
            with T.sblock("pool_max"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_rv0, v_rv1 = T.axis.remap("SSSSRR", [ax0, ax1, ax2, ax3, rv0, rv1])
                T.reads(a[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])
                T.writes(pool_max[v_ax0, v_ax1, v_ax2, v_ax3])
                T.sblock_attr({"schedule_rule": "meta_schedule.pool_max"})
                with T.init():
                    pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(-340282346638528859811704183484516925440.0)
                pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.max(pool_max[v_ax0, v_ax1, v_ax2, v_ax3], a[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])

    @R.function
    def main(x: R.Tensor(("n", 2, 8, 8), dtype="float32"), w: R.Tensor((3, 2, 3, 3), dtype="float32")) -> R.Tensor(("n", 3, 4, 4), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.conv2d, (x, w), out_sinfo=R.Tensor((n, 3, 8, 8), dtype="float32"))
        b = R.call_tir(cls.max_pool2d, (a,), out_sinfo=R.Tensor((n, 3, 4, 4), dtype="float32"))
        return b
