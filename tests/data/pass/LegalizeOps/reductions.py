# NUMBERS
# Sums, means and extremes along axes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3, 4), "float32")):
        n = T.int64()
        a = R.sum(x, axis=[1], keepdims=True)
        b = R.mean(x, axis=[-1], keepdims=False)
        c = R.min(x, axis=[1, 2], keepdims=False)
        t = (a, b, c)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mean(var_x: T.handle, var_T_divide: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(3), T.int64(4)))
        T_divide = T.match_buffer(var_T_divide, (n, T.int64(3)))
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n, T.int64(3)))
        for ax0, ax1, k2 in T.grid(n, T.int64(3), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(x[v_ax0, v_ax1, v_k2])
                T.writes(x_red[v_ax0, v_ax1])
                with T.init():
                    x_red[v_ax0, v_ax1] = T.float32(0.0)
                x_red[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] + x[v_ax0, v_ax1, v_k2]
        for ax0, ax1 in T.grid(n, T.int64(3)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] / T.float32(4.0)

    @T.prim_func(private=True, s_tir=True)
    def min(var_x: T.handle, var_x_red: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(3), T.int64(4)))
        x_red = T.match_buffer(var_x_red, (n,))
        # with T.sblock("root"):
        for ax0, k1, k2 in T.grid(n, T.int64(3), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1, v_k2 = T.axis.remap("SRR", [ax0, k1, k2])
                T.reads(x[v_ax0, v_k1, v_k2])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1, v_k2])

    @T.prim_func(private=True, s_tir=True)
    def sum(var_x: T.handle, var_x_red: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(3), T.int64(4)))
        x_red = T.match_buffer(var_x_red, (n, T.int64(1), T.int64(4)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, k1 in T.grid(n, T.int64(1), T.int64(4), T.int64(3)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_ax2, v_k1 = T.axis.remap("SSSR", [ax0, ax1, ax2, k1])
                T.reads(x[v_ax0, v_k1, v_ax2])
                T.writes(x_red[v_ax0, v_ax1, v_ax2])
                with T.init():
                    x_red[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
                x_red[v_ax0, v_ax1, v_ax2] = x_red[v_ax0, v_ax1, v_ax2] + x[v_ax0, v_k1, v_ax2]

    @R.function
    def main(x: R.Tensor(("n", 3, 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 1, 4), dtype="float32"), R.Tensor(("n", 3), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.sum, (x,), out_sinfo=R.Tensor((n, 1, 4), dtype="float32"))
        b = R.call_tir(cls.mean, (x,), out_sinfo=R.Tensor((n, 3), dtype="float32"))
        c = R.call_tir(cls.min, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
        t: R.Tuple(R.Tensor((n, 1, 4), dtype="float32"), R.Tensor((n, 3), dtype="float32"), R.Tensor((n,), dtype="float32")) = a, b, c
        return t
