# The sample mlp as it is before the pass.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_matmul1_add1(p_lv2: T.handle, w2: T.Buffer((T.int64(256), T.int64(10)), "float32"), b2: T.Buffer((T.int64(10),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        lv2 = T.match_buffer(p_lv2, (n, T.int64(256)))
        T_add_intermediate = T.match_buffer(p_output0, (n, T.int64(10)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(10)))
        for i0, i1, k in T.grid(n, T.int64(10), T.int64(256)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(lv2[v_i0, v_k], w2[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + lv2[v_i0, v_k] * w2[v_k, v_i1]
        for ax0, ax1 in T.grid(n, T.int64(10)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b2[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b2[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul_add_gelu(p_x: T.handle, w1: T.Buffer((T.int64(128), T.int64(256)), "float32"), b1: T.Buffer((T.int64(256),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)))
        T_multiply_intermediate = T.match_buffer(p_output0, (n, T.int64(256)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        T_add_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        T_multiply = T.sblock_alloc_buffer((n, T.int64(256)))
        compute = T.sblock_alloc_buffer((n, T.int64(256)))
        T_multiply_1 = T.sblock_alloc_buffer((n, T.int64(256)))
        T_add = T.sblock_alloc_buffer((n, T.int64(256)))
        for i0, i1, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b1[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b1[v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] * T.float32(0.70710678118654757)
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_multiply[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.erf(T_multiply[v_i0, v_i1])
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(compute[v_ax0, v_ax1])
                T.writes(T_multiply_1[v_ax0, v_ax1])
                T_multiply_1[v_ax0, v_ax1] = compute[v_ax0, v_ax1] * T.float32(0.5)
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_multiply_1[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = T.float32(0.5) + T_multiply_1[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1], T_add[v_ax0, v_ax1])
                T.writes(T_multiply_intermediate[v_ax0, v_ax1])
                T_multiply_intermediate[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] * T_add[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_lv4: T.handle, var_T_softmax_norm: T.handle):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        n = T.int64()
        lv4 = T.match_buffer(var_lv4, (n, T.int64(10)))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (n, T.int64(10)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        T_softmax_exp = T.sblock_alloc_buffer((n, T.int64(10)))
        T_softmax_expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(lv4[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], lv4[v_i0, v_k])
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv4[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(lv4[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float32"), w1: R.Tensor((128, 256), dtype="float32"), b1: R.Tensor((256,), dtype="float32"), w2: R.Tensor((256, 10), dtype="float32"), b2: R.Tensor((10,), dtype="float32")) -> R.Tensor(("n", 10), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1, "relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([1024 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc: R.Tensor((n, 256), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 256]), R.dtype("float32"), R.prim_value(0))
        cls.fused_matmul_add_gelu(x, w1, b1, alloc)
        lv: R.Tensor((n, 256), dtype="float32") = alloc
        storage1: R.Object = R.memory.alloc_storage(R.shape([40 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc1: R.Tensor((n, 10), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, 10]), R.dtype("float32"), R.prim_value(0))
        cls.fused_matmul1_add1(lv, w2, b2, alloc1)
        lv1: R.Tensor((n, 10), dtype="float32") = alloc1
        storage_1: R.Object = R.memory.alloc_storage(R.shape([4 * n * 10]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc2: R.Tensor((n, 10), dtype="float32") = R.memory.alloc_tensor(storage_1, R.prim_value(0), R.shape([n, 10]), R.dtype("float32"), R.prim_value(0))
        cls.softmax(lv1, alloc2)
        gv: R.Tensor((n, 10), dtype="float32") = alloc2
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_matmul1_add1(p_lv2: T.handle, w2: T.Buffer((T.int64(256), T.int64(10)), "float32"), b2: T.Buffer((T.int64(10),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        lv2 = T.match_buffer(p_lv2, (n, T.int64(256)))
        T_add_intermediate = T.match_buffer(p_output0, (n, T.int64(10)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(10)))
        for i0, i1, k in T.grid(n, T.int64(10), T.int64(256)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(lv2[v_i0, v_k], w2[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + lv2[v_i0, v_k] * w2[v_k, v_i1]
        for ax0, ax1 in T.grid(n, T.int64(10)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b2[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b2[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul_add_gelu(p_x: T.handle, w1: T.Buffer((T.int64(128), T.int64(256)), "float32"), b1: T.Buffer((T.int64(256),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)))
        T_multiply_intermediate = T.match_buffer(p_output0, (n, T.int64(256)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        T_add_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        T_multiply = T.sblock_alloc_buffer((n, T.int64(256)))
        compute = T.sblock_alloc_buffer((n, T.int64(256)))
        T_multiply_1 = T.sblock_alloc_buffer((n, T.int64(256)))
        T_add = T.sblock_alloc_buffer((n, T.int64(256)))
        for i0, i1, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b1[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b1[v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] * T.float32(0.70710678118654757)
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_multiply[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.erf(T_multiply[v_i0, v_i1])
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(compute[v_ax0, v_ax1])
                T.writes(T_multiply_1[v_ax0, v_ax1])
                T_multiply_1[v_ax0, v_ax1] = compute[v_ax0, v_ax1] * T.float32(0.5)
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_multiply_1[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = T.float32(0.5) + T_multiply_1[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(256)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1], T_add[v_ax0, v_ax1])
                T.writes(T_multiply_intermediate[v_ax0, v_ax1])
                T_multiply_intermediate[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] * T_add[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_lv4: T.handle, var_T_softmax_norm: T.handle):
        T.func_attr({"op_pattern": 4, "tirx.noalias": True})
        n = T.int64()
        lv4 = T.match_buffer(var_lv4, (n, T.int64(10)))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (n, T.int64(10)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        T_softmax_exp = T.sblock_alloc_buffer((n, T.int64(10)))
        T_softmax_expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(lv4[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], lv4[v_i0, v_k])
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv4[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(lv4[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float32"), w1: R.Tensor((128, 256), dtype="float32"), b1: R.Tensor((256,), dtype="float32"), w2: R.Tensor((256, 10), dtype="float32"), b2: R.Tensor((10,), dtype="float32")) -> R.Tensor(("n", 10), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1, "relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([1024 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc: R.Tensor((n, 256), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 256]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(storage)
        cls.fused_matmul_add_gelu(x, w1, b1, alloc)
        storage1: R.Object = R.memory.alloc_storage(R.shape([40 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc1: R.Tensor((n, 10), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, 10]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(storage1)
        cls.fused_matmul1_add1(alloc, w2, b2, alloc1)
        R.memory.kill_tensor(alloc)
        storage_1: R.Object = R.memory.alloc_storage(R.shape([4 * n * 10]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc2: R.Tensor((n, 10), dtype="float32") = R.memory.alloc_tensor(storage_1, R.prim_value(0), R.shape([n, 10]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(storage_1)
        cls.softmax(alloc1, alloc2)
        R.memory.kill_tensor(alloc1)
        return alloc2
