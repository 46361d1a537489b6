# The sample attn as it is before the pass: two reshapes are alone in a program, others are fused.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def concatenate(var_kc: T.handle, k: T.Buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)), "float32"), var_T_concat: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        kc = T.match_buffer(var_kc, (T.int64(1), n, T.int64(4), T.int64(16)))
        T_concat = T.match_buffer(var_T_concat, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_concat"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(k[v_ax0, v_ax1 - n, v_ax2, v_ax3], kc[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_concat[v_ax0, v_ax1, v_ax2, v_ax3])
                T_concat[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax1 - n, k[v_ax0, v_ax1 - n, v_ax2, v_ax3], kc[v_ax0, v_ax1, v_ax2, v_ax3])

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul1_divide(qt: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), p_kt: T.handle, p_output0: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        kt = T.match_buffer(p_kt, (T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)))
        T_divide_intermediate = T.match_buffer(p_output0, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1), T.int64(16)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(qt[v_i0, v_i1, v_i2, v_k], kt[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul_intermediate[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul_intermediate[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1, v_i2, v_i3] = matmul_intermediate[v_i0, v_i1, v_i2, v_i3] + qt[v_i0, v_i1, v_i2, v_k] * kt[v_i0, v_i1, v_k, v_i3]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(matmul_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_divide_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_divide_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = matmul_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] / T.float32(4.0)

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul_add(of: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), wo: T.Buffer((T.int64(64), T.int64(64)), "float32"), x: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_add_intermediate: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(1), T.int64(64), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(of[v_i0, v_i1, v_k], wo[v_k, v_i2])
                T.writes(matmul_intermediate[v_i0, v_i1, v_i2])
                with T.init():
                    matmul_intermediate[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1, v_i2] = matmul_intermediate[v_i0, v_i1, v_i2] + of[v_i0, v_i1, v_k] * wo[v_k, v_i2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul_intermediate[v_ax0, v_ax1, v_ax2], x[v_ax0, v_ax1, v_ax2])
                T.writes(T_add_intermediate[v_ax0, v_ax1, v_ax2])
                T_add_intermediate[v_ax0, v_ax1, v_ax2] = matmul_intermediate[v_ax0, v_ax1, v_ax2] + x[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def fused_reshape_transpose(lv1: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_transpose_intermediate: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_reshape_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)])
                T.writes(T_reshape_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(1), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(T_reshape_intermediate[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = T_reshape_intermediate[v_ax0, v_ax2, v_ax1, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def fused_transpose3_reshape1(o: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), T_reshape_intermediate: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_transpose_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(o[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = o[v_ax0, v_ax2, v_ax1, v_ax3]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_transpose_intermediate[T.int64(0), T.int64(0), v_ax2 % T.int64(64) // T.int64(16), v_ax2 % T.int64(16)])
                T.writes(T_reshape_intermediate[v_ax0, v_ax1, v_ax2])
                T_reshape_intermediate[v_ax0, v_ax1, v_ax2] = T_transpose_intermediate[T.int64(0), T.int64(0), v_ax2 % T.int64(64) // T.int64(16), v_ax2 % T.int64(16)]

    @T.prim_func(private=True, s_tir=True)
    def matmul(h: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), wq: T.Buffer((T.int64(64), T.int64(64)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(1), T.int64(64), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(h[v_i0, v_i1, v_k], wq[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + h[v_i0, v_i1, v_k] * wq[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul2(var_p: T.handle, var_vt: T.handle, matmul: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), n: T.int64):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        p = T.match_buffer(var_p, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        vt = T.match_buffer(var_vt, (T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)))
        # with T.sblock("root"):
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(4), T.int64(1), T.int64(16), n + T.int64(1)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(p[v_i0, v_i1, v_i2, v_k], vt[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2, v_i3] = matmul[v_i0, v_i1, v_i2, v_i3] + p[v_i0, v_i1, v_i2, v_k] * vt[v_i0, v_i1, v_k, v_i3]

    @T.prim_func(private=True, s_tir=True)
    def reshape(lv1: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)), "float32")):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)]

    @T.prim_func(private=True, s_tir=True)
    def rms_norm(x: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), g: T.Buffer((T.int64(64),), "float32"), T_cast: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        # with T.sblock("root"):
        T_cast_1 = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        T_multiply = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        T_multiply_red = T.sblock_alloc_buffer((T.int64(1), T.int64(1)))
        rsqrt = T.sblock_alloc_buffer((T.int64(1), T.int64(1)))
        T_cast_2 = T.sblock_alloc_buffer((T.int64(64),))
        T_rms_norm = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_cast"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2])
                T.writes(T_cast_1[v_ax0, v_ax1, v_ax2])
                T_cast_1[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_cast_1[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2])
                T_multiply[v_ax0, v_ax1, v_ax2] = T_cast_1[v_ax0, v_ax1, v_ax2] * T_cast_1[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(T_multiply[v_ax0, v_ax1, v_k2])
                T.writes(T_multiply_red[v_ax0, v_ax1])
                with T.init():
                    T_multiply_red[v_ax0, v_ax1] = T.float32(0.0)
                T_multiply_red[v_ax0, v_ax1] = T_multiply_red[v_ax0, v_ax1] + T_multiply[v_ax0, v_ax1, v_k2]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(1)):
            with T.sblock("rsqrt"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_multiply_red[v_ax0, v_ax1])
                T.writes(rsqrt[v_ax0, v_ax1])
                rsqrt[v_ax0, v_ax1] = T.rsqrt(T_multiply_red[v_ax0, v_ax1] / T.float32(64.0) + T.float32(1.0000000000000001e-05))
        for ax0 in range(T.int64(64)):
            with T.sblock("T_cast_1"):
                v_ax0 = T.axis.spatial(T.int64(64), ax0)
                T.reads(g[v_ax0])
                T.writes(T_cast_2[v_ax0])
                T_cast_2[v_ax0] = g[v_ax0]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_rms_norm"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(rsqrt[v_ax0, v_ax1], T_cast_1[v_ax0, v_ax1, v_ax2], T_cast_2[v_ax2])
                T.writes(T_rms_norm[v_ax0, v_ax1, v_ax2])
                T_rms_norm[v_ax0, v_ax1, v_ax2] = rsqrt[v_ax0, v_ax1] * T_cast_1[v_ax0, v_ax1, v_ax2] * T_cast_2[v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_cast_2"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_rms_norm[v_ax0, v_ax1, v_ax2])
                T.writes(T_cast[v_ax0, v_ax1, v_ax2])
                T_cast[v_ax0, v_ax1, v_ax2] = T_rms_norm[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_s1: T.handle, var_T_softmax_norm: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        s1 = T.match_buffer(var_s1, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1)))
        T_softmax_exp = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        T_softmax_expsum = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1)))
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(s1[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_maxelem[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_maxelem[v_i0, v_i1, v_i2] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0, v_i1, v_i2] = T.max(T_softmax_maxelem[v_i0, v_i1, v_i2], s1[v_i0, v_i1, v_i2, v_k])
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(s1[v_i0, v_i1, v_i2, v_i3], T_softmax_maxelem[v_i0, v_i1, v_i2])
                T.writes(T_softmax_exp[v_i0, v_i1, v_i2, v_i3])
                T_softmax_exp[v_i0, v_i1, v_i2, v_i3] = T.exp(s1[v_i0, v_i1, v_i2, v_i3] - T_softmax_maxelem[v_i0, v_i1, v_i2])
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_expsum[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_expsum[v_i0, v_i1, v_i2] = T.float32(0.0)
                T_softmax_expsum[v_i0, v_i1, v_i2] = T_softmax_expsum[v_i0, v_i1, v_i2] + T_softmax_exp[v_i0, v_i1, v_i2, v_k]
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_i3], T_softmax_expsum[v_i0, v_i1, v_i2])
                T.writes(T_softmax_norm[v_i0, v_i1, v_i2, v_i3])
                T.sblock_attr({"axis": 3})
                T_softmax_norm[v_i0, v_i1, v_i2, v_i3] = T_softmax_exp[v_i0, v_i1, v_i2, v_i3] / T_softmax_expsum[v_i0, v_i1, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def transpose1(var_kk: T.handle, var_T_transpose: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        kk = T.match_buffer(var_kk, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(kk[v_ax0, v_ax3, v_ax1, v_ax2])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = kk[v_ax0, v_ax3, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def transpose2(var_vv: T.handle, var_T_transpose: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        vv = T.match_buffer(var_vv, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(vv[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = vv[v_ax0, v_ax2, v_ax1, v_ax3]

    @R.function
    def main(x: R.Tensor((1, 1, 64), dtype="float32"), kc: R.Tensor((1, "n", 4, 16), dtype="float32"), vc: R.Tensor((1, "n", 4, 16), dtype="float32"), wq: R.Tensor((64, 64), dtype="float32"), wk: R.Tensor((64, 64), dtype="float32"), wv: R.Tensor((64, 64), dtype="float32"), wo: R.Tensor((64, 64), dtype="float32"), g: R.Tensor((64,), dtype="float32")) -> R.Tuple(R.Tensor((1, 1, 64), dtype="float32"), R.Tensor((1, "n + 1", 4, 16), dtype="float32"), R.Tensor((1, "n + 1", 4, 16), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 3})
        cls = Module
        with R.dataflow():
            h = R.call_tir(cls.rms_norm, (x, g), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            lv1 = R.call_tir(cls.matmul, (h, wq), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            lv = R.call_tir(cls.fused_reshape_transpose, (lv1,), out_sinfo=R.Tensor((1, 4, 1, 16), dtype="float32"))
            lv3 = R.call_tir(cls.matmul, (h, wk), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            k = R.call_tir(cls.reshape, (lv3,), out_sinfo=R.Tensor((1, 1, 4, 16), dtype="float32"))
            lv5 = R.call_tir(cls.matmul, (h, wv), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            v = R.call_tir(cls.reshape, (lv5,), out_sinfo=R.Tensor((1, 1, 4, 16), dtype="float32"))
            kk = R.call_tir(cls.concatenate, (kc, k), out_sinfo=R.Tensor((1, n + 1, 4, 16), dtype="float32"))
            vv = R.call_tir(cls.concatenate, (vc, v), out_sinfo=R.Tensor((1, n + 1, 4, 16), dtype="float32"))
            kt = R.call_tir(cls.transpose1, (kk,), out_sinfo=R.Tensor((1, 4, 16, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            vt = R.call_tir(cls.transpose2, (vv,), out_sinfo=R.Tensor((1, 4, n + 1, 16), dtype="float32"), tir_vars=R.shape([n]))
            lv1_1 = R.call_tir(cls.fused_matmul1_divide, (lv, kt), out_sinfo=R.Tensor((1, 4, 1, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            p = R.call_tir(cls.softmax, (lv1_1,), out_sinfo=R.Tensor((1, 4, 1, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            o = R.call_tir(cls.matmul2, (p, vt), out_sinfo=R.Tensor((1, 4, 1, 16), dtype="float32"), tir_vars=R.shape([n]))
            lv2 = R.call_tir(cls.fused_transpose3_reshape1, (o,), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            gv = R.call_tir(cls.fused_matmul_add, (lv2, wo, x), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            R.output(kk, vv, gv)
        return (gv, kk, vv)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def concatenate(var_kc: T.handle, k: T.Buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)), "float32"), var_T_concat: T.handle):
        T.func_attr({"op_pattern": 8, "tirx.noalias": True})
        n = T.int64()
        kc = T.match_buffer(var_kc, (T.int64(1), n, T.int64(4), T.int64(16)))
        T_concat = T.match_buffer(var_T_concat, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_concat"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(k[v_ax0, v_ax1 - n, v_ax2, v_ax3], kc[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_concat[v_ax0, v_ax1, v_ax2, v_ax3])
                T_concat[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax1 - n, k[v_ax0, v_ax1 - n, v_ax2, v_ax3], kc[v_ax0, v_ax1, v_ax2, v_ax3])

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul1_divide(qt: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), p_kt: T.handle, p_output0: T.handle, n: T.int64):
        T.func_attr({"tirx.noalias": True})
        kt = T.match_buffer(p_kt, (T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)))
        T_divide_intermediate = T.match_buffer(p_output0, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1), T.int64(16)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(qt[v_i0, v_i1, v_i2, v_k], kt[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul_intermediate[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul_intermediate[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1, v_i2, v_i3] = matmul_intermediate[v_i0, v_i1, v_i2, v_i3] + qt[v_i0, v_i1, v_i2, v_k] * kt[v_i0, v_i1, v_k, v_i3]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(matmul_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_divide_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_divide_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = matmul_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] / T.float32(4.0)

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul_add(of: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), wo: T.Buffer((T.int64(64), T.int64(64)), "float32"), x: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_add_intermediate: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(1), T.int64(64), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(of[v_i0, v_i1, v_k], wo[v_k, v_i2])
                T.writes(matmul_intermediate[v_i0, v_i1, v_i2])
                with T.init():
                    matmul_intermediate[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1, v_i2] = matmul_intermediate[v_i0, v_i1, v_i2] + of[v_i0, v_i1, v_k] * wo[v_k, v_i2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul_intermediate[v_ax0, v_ax1, v_ax2], x[v_ax0, v_ax1, v_ax2])
                T.writes(T_add_intermediate[v_ax0, v_ax1, v_ax2])
                T_add_intermediate[v_ax0, v_ax1, v_ax2] = matmul_intermediate[v_ax0, v_ax1, v_ax2] + x[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def fused_reshape_transpose(lv1: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_transpose_intermediate: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_reshape_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)])
                T.writes(T_reshape_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(1), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(T_reshape_intermediate[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = T_reshape_intermediate[v_ax0, v_ax2, v_ax1, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def fused_transpose3_reshape1(o: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), T_reshape_intermediate: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_transpose_intermediate = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(o[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose_intermediate[v_ax0, v_ax1, v_ax2, v_ax3] = o[v_ax0, v_ax2, v_ax1, v_ax3]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_transpose_intermediate[T.int64(0), T.int64(0), v_ax2 % T.int64(64) // T.int64(16), v_ax2 % T.int64(16)])
                T.writes(T_reshape_intermediate[v_ax0, v_ax1, v_ax2])
                T_reshape_intermediate[v_ax0, v_ax1, v_ax2] = T_transpose_intermediate[T.int64(0), T.int64(0), v_ax2 % T.int64(64) // T.int64(16), v_ax2 % T.int64(16)]

    @T.prim_func(private=True, s_tir=True)
    def matmul(h: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), wq: T.Buffer((T.int64(64), T.int64(64)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(1), T.int64(64), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(h[v_i0, v_i1, v_k], wq[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + h[v_i0, v_i1, v_k] * wq[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul2(var_p: T.handle, var_vt: T.handle, matmul: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(16)), "float32"), n: T.int64):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        p = T.match_buffer(var_p, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        vt = T.match_buffer(var_vt, (T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)))
        # with T.sblock("root"):
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(4), T.int64(1), T.int64(16), n + T.int64(1)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(p[v_i0, v_i1, v_i2, v_k], vt[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2, v_i3] = matmul[v_i0, v_i1, v_i2, v_i3] + p[v_i0, v_i1, v_i2, v_k] * vt[v_i0, v_i1, v_k, v_i3]

    @T.prim_func(private=True, s_tir=True)
    def reshape(lv1: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(1), T.int64(4), T.int64(16)), "float32")):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(1), T.int64(4), T.int64(16)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = lv1[T.int64(0), T.int64(0), (v_ax2 * T.int64(16) + v_ax3) % T.int64(64)]

    @T.prim_func(private=True, s_tir=True)
    def rms_norm(x: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32"), g: T.Buffer((T.int64(64),), "float32"), T_cast: T.Buffer((T.int64(1), T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        # with T.sblock("root"):
        T_cast_1 = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        T_multiply = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        T_multiply_red = T.sblock_alloc_buffer((T.int64(1), T.int64(1)))
        rsqrt = T.sblock_alloc_buffer((T.int64(1), T.int64(1)))
        T_cast_2 = T.sblock_alloc_buffer((T.int64(64),))
        T_rms_norm = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(64)))
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_cast"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2])
                T.writes(T_cast_1[v_ax0, v_ax1, v_ax2])
                T_cast_1[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_cast_1[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2])
                T_multiply[v_ax0, v_ax1, v_ax2] = T_cast_1[v_ax0, v_ax1, v_ax2] * T_cast_1[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(T_multiply[v_ax0, v_ax1, v_k2])
                T.writes(T_multiply_red[v_ax0, v_ax1])
                with T.init():
                    T_multiply_red[v_ax0, v_ax1] = T.float32(0.0)
                T_multiply_red[v_ax0, v_ax1] = T_multiply_red[v_ax0, v_ax1] + T_multiply[v_ax0, v_ax1, v_k2]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(1)):
            with T.sblock("rsqrt"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_multiply_red[v_ax0, v_ax1])
                T.writes(rsqrt[v_ax0, v_ax1])
                rsqrt[v_ax0, v_ax1] = T.rsqrt(T_multiply_red[v_ax0, v_ax1] / T.float32(64.0) + T.float32(1.0000000000000001e-05))
        for ax0 in range(T.int64(64)):
            with T.sblock("T_cast_1"):
                v_ax0 = T.axis.spatial(T.int64(64), ax0)
                T.reads(g[v_ax0])
                T.writes(T_cast_2[v_ax0])
                T_cast_2[v_ax0] = g[v_ax0]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_rms_norm"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(rsqrt[v_ax0, v_ax1], T_cast_1[v_ax0, v_ax1, v_ax2], T_cast_2[v_ax2])
                T.writes(T_rms_norm[v_ax0, v_ax1, v_ax2])
                T_rms_norm[v_ax0, v_ax1, v_ax2] = rsqrt[v_ax0, v_ax1] * T_cast_1[v_ax0, v_ax1, v_ax2] * T_cast_2[v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(64)):
            with T.sblock("T_cast_2"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_rms_norm[v_ax0, v_ax1, v_ax2])
                T.writes(T_cast[v_ax0, v_ax1, v_ax2])
                T_cast[v_ax0, v_ax1, v_ax2] = T_rms_norm[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_s1: T.handle, var_T_softmax_norm: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        s1 = T.match_buffer(var_s1, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1)))
        T_softmax_exp = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)))
        T_softmax_expsum = T.sblock_alloc_buffer((T.int64(1), T.int64(4), T.int64(1)))
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(s1[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_maxelem[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_maxelem[v_i0, v_i1, v_i2] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0, v_i1, v_i2] = T.max(T_softmax_maxelem[v_i0, v_i1, v_i2], s1[v_i0, v_i1, v_i2, v_k])
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(s1[v_i0, v_i1, v_i2, v_i3], T_softmax_maxelem[v_i0, v_i1, v_i2])
                T.writes(T_softmax_exp[v_i0, v_i1, v_i2, v_i3])
                T_softmax_exp[v_i0, v_i1, v_i2, v_i3] = T.exp(s1[v_i0, v_i1, v_i2, v_i3] - T_softmax_maxelem[v_i0, v_i1, v_i2])
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_expsum[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_expsum[v_i0, v_i1, v_i2] = T.float32(0.0)
                T_softmax_expsum[v_i0, v_i1, v_i2] = T_softmax_expsum[v_i0, v_i1, v_i2] + T_softmax_exp[v_i0, v_i1, v_i2, v_k]
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(4), T.int64(1), n + T.int64(1)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_i3], T_softmax_expsum[v_i0, v_i1, v_i2])
                T.writes(T_softmax_norm[v_i0, v_i1, v_i2, v_i3])
                T.sblock_attr({"axis": 3})
                T_softmax_norm[v_i0, v_i1, v_i2, v_i3] = T_softmax_exp[v_i0, v_i1, v_i2, v_i3] / T_softmax_expsum[v_i0, v_i1, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def transpose1(var_kk: T.handle, var_T_transpose: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        kk = T.match_buffer(var_kk, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), T.int64(16), n + T.int64(1)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(kk[v_ax0, v_ax3, v_ax1, v_ax2])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = kk[v_ax0, v_ax3, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def transpose2(var_vv: T.handle, var_T_transpose: T.handle, n: T.int64):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        vv = T.match_buffer(var_vv, (T.int64(1), n + T.int64(1), T.int64(4), T.int64(16)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)))
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(4), n + T.int64(1), T.int64(16)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(vv[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = vv[v_ax0, v_ax2, v_ax1, v_ax3]

    @R.function
    def main(x: R.Tensor((1, 1, 64), dtype="float32"), kc: R.Tensor((1, "n", 4, 16), dtype="float32"), vc: R.Tensor((1, "n", 4, 16), dtype="float32"), wq: R.Tensor((64, 64), dtype="float32"), wk: R.Tensor((64, 64), dtype="float32"), wv: R.Tensor((64, 64), dtype="float32"), wo: R.Tensor((64, 64), dtype="float32"), g: R.Tensor((64,), dtype="float32")) -> R.Tuple(R.Tensor((1, 1, 64), dtype="float32"), R.Tensor((1, "n + 1", 4, 16), dtype="float32"), R.Tensor((1, "n + 1", 4, 16), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 3})
        cls = Module
        with R.dataflow():
            h = R.call_tir(cls.rms_norm, (x, g), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            lv1 = R.call_tir(cls.matmul, (h, wq), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            lv = R.call_tir(cls.fused_reshape_transpose, (lv1,), out_sinfo=R.Tensor((1, 4, 1, 16), dtype="float32"))
            lv3 = R.call_tir(cls.matmul, (h, wk), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            k: R.Tensor((1, 1, 4, 16), dtype="float32") = R.reshape(lv3, R.shape([1, 1, 4, 16]))
            lv5 = R.call_tir(cls.matmul, (h, wv), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            v: R.Tensor((1, 1, 4, 16), dtype="float32") = R.reshape(lv5, R.shape([1, 1, 4, 16]))
            kk = R.call_tir(cls.concatenate, (kc, k), out_sinfo=R.Tensor((1, n + 1, 4, 16), dtype="float32"))
            vv = R.call_tir(cls.concatenate, (vc, v), out_sinfo=R.Tensor((1, n + 1, 4, 16), dtype="float32"))
            kt = R.call_tir(cls.transpose1, (kk,), out_sinfo=R.Tensor((1, 4, 16, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            vt = R.call_tir(cls.transpose2, (vv,), out_sinfo=R.Tensor((1, 4, n + 1, 16), dtype="float32"), tir_vars=R.shape([n]))
            lv1_1 = R.call_tir(cls.fused_matmul1_divide, (lv, kt), out_sinfo=R.Tensor((1, 4, 1, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            p = R.call_tir(cls.softmax, (lv1_1,), out_sinfo=R.Tensor((1, 4, 1, n + 1), dtype="float32"), tir_vars=R.shape([n]))
            o = R.call_tir(cls.matmul2, (p, vt), out_sinfo=R.Tensor((1, 4, 1, 16), dtype="float32"), tir_vars=R.shape([n]))
            lv2 = R.call_tir(cls.fused_transpose3_reshape1, (o,), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            gv = R.call_tir(cls.fused_matmul_add, (lv2, wo, x), out_sinfo=R.Tensor((1, 1, 64), dtype="float32"))
            R.output(kk, vv, gv)
        return (gv, kk, vv)
