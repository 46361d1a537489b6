# RUN: relax schedule %s --target cpu:x86-64-v3 --show
# Sums that the anchor divides stay in registers: their buffer, which the sums' start writes first, is not the result.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def avg_pool2d(var_x: T.handle, var_T_avg_pool2d: T.handle):
        T.func_attr({"tirx.noalias": True})
        b = T.int64()
        x = T.match_buffer(var_x, (b, T.int64(64), T.int64(32), T.int64(32)))
        T_avg_pool2d = T.match_buffer(var_T_avg_pool2d, (b, T.int64(64), T.int64(30), T.int64(30)))
        # with T.sblock("root"):
        T_avg_pool2d_sum = T.sblock_alloc_buffer((b, T.int64(64), T.int64(30), T.int64(30)))
        for n, c, y0, y1, k0, k1 in T.grid(b, T.int64(64), T.int64(30), T.int64(30), T.int64(3), T.int64(3)):
            with T.sblock("T_avg_pool2d_sum"):
                v_n, v_c, v_y0, v_y1, v_k0, v_k1 = T.axis.remap("SSSSRR", [n, c, y0, y1, k0, k1])
                with T.init():
                    T_avg_pool2d_sum[v_n, v_c, v_y0, v_y1] = T.float32(0.0)
                T_avg_pool2d_sum[v_n, v_c, v_y0, v_y1] = T_avg_pool2d_sum[v_n, v_c, v_y0, v_y1] + x[v_n, v_c, v_y0 + v_k0, v_y1 + v_k1]
        for n, c, y0, y1 in T.grid(b, T.int64(64), T.int64(30), T.int64(30)):
            with T.sblock("T_avg_pool2d"):
                v_n, v_c, v_y0, v_y1 = T.axis.remap("SSSS", [n, c, y0, y1])
                T_avg_pool2d[v_n, v_c, v_y0, v_y1] = T_avg_pool2d_sum[v_n, v_c, v_y0, v_y1] / T.float32(9.0)
# WANT:
# avg_pool2d: rows
b0 = block("T_avg_pool2d")
l1 = loop(b0, 3)
l2, l3 = split(l1, factors=[None, 8])
vectorize(l3)
b4 = block("T_avg_pool2d_sum")
compute_at(b4, l2)
l5 = loop(b4, 5)
l6 = loop(b4, 6)
l7 = loop(b4, 4)
reorder(l5, l6, l7)
vectorize(l7)
b8 = decompose_reduction(b4, l5)
unroll(l5)
unroll(l6)
l9 = loop(b8, 2)
compact(l9)
l10 = loop(b8, 0)
parallel(l10)
l11 = loop(b8, 1)
parallel(l11)
parallel(l9)
l12 = fuse(l10, l11, l9)
