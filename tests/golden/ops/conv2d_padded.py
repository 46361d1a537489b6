# RUN: relax opt --pass LegalizeOps %s
# A border of zeros in a tensor of its own, then one reduction.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 5, 6), dtype="float32"), w: R.Tensor((3, 2, 3, 3), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.nn.conv2d(x, w, padding=1, strides=2)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 5, 6), dtype="float32"), w: R.Tensor((3, 2, 3, 3), dtype="float32")) -> R.Tensor(("n", 3, 3, 3), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.conv2d, (x, w), out_sinfo=R.Tensor((n, 3, 3, 3), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def conv2d(var_x: T.handle, w: T.Buffer((T.int64(3), T.int64(2), T.int64(3), T.int64(3)), "float32"), var_T_conv2d: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(2), T.int64(5), T.int64(6)))
        T_conv2d = T.match_buffer(var_T_conv2d, (n, T.int64(3), T.int64(3), T.int64(3)))
        # with T.sblock("root"):
        T_conv2d_pad = T.sblock_alloc_buffer((n, T.int64(2), T.int64(7), T.int64(8)))
        for n_1, c, p0, p1 in T.grid(n, T.int64(2), T.int64(7), T.int64(8)):
            with T.sblock("T_conv2d_pad"):
                v_n, v_c, v_p0, v_p1 = T.axis.remap("SSSS", [n_1, c, p0, p1])
                T_conv2d_pad[v_n, v_c, v_p0, v_p1] = T.if_then_else(v_p0 >= T.int64(1) and v_p0 < T.int64(6) and v_p1 >= T.int64(1) and v_p1 < T.int64(7), x[v_n, v_c, v_p0 - T.int64(1), v_p1 - T.int64(1)], T.float32(0.0))
        for n_2, o, y0, y1, c, k0, k1 in T.grid(n, T.int64(3), T.int64(3), T.int64(3), T.int64(2), T.int64(3), T.int64(3)):
            with T.sblock("T_conv2d"):
                v_n, v_o, v_y0, v_y1, v_c, v_k0, v_k1 = T.axis.remap("SSSSRRR", [n_2, o, y0, y1, c, k0, k1])
                with T.init():
                    T_conv2d[v_n, v_o, v_y0, v_y1] = T.float32(0.0)
                T_conv2d[v_n, v_o, v_y0, v_y1] = T_conv2d[v_n, v_o, v_y0, v_y1] + T_conv2d_pad[v_n, v_c, v_y0 * T.int64(2) + v_k0, v_y1 * T.int64(2) + v_k1] * w[v_o, v_c, v_k0, v_k1]
