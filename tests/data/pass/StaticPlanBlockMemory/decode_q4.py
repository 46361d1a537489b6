# The sample decode_q4 as it is before the pass.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode_q4(Wdata: T.Buffer((T.int64(128), T.int64(32)), "uint32"), Wscale: T.Buffer((T.int64(128), T.int64(8)), "float16"), W: T.Buffer((T.int64(128), T.int64(256)), "float16")):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(128), T.int64(256)):
            with T.sblock("decode"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Wdata[vi, vj // T.int64(8)], Wscale[vi, vj // T.int64(32)])
                T.writes(W[vi, vj])
                W[vi, vj] = (T.Cast("float16", T.bitwise_and(T.shift_right(Wdata[vi, vj // T.int64(8)], T.Cast("uint32", vj % T.int64(8) * T.int64(4))), T.uint32(15))) - T.float16(7.0)) * Wscale[vi, vj // T.int64(32)]

    @T.prim_func(private=True, s_tir=True)
    def fused_mm_relu(p_x: T.handle, W: T.Buffer((T.int64(128), T.int64(256)), "float16"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)), "float16")
        compute_intermediate = T.match_buffer(p_output0, (n, T.int64(256)), "float16")
        # with T.sblock("root"):
        Y_intermediate = T.sblock_alloc_buffer((n, T.int64(256)), "float16")
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], W[vk, vj])
                T.writes(Y_intermediate[vi, vj])
                with T.init():
                    Y_intermediate[vi, vj] = T.float16(0.0)
                Y_intermediate[vi, vj] = Y_intermediate[vi, vj] + x[vi, vk] * W[vk, vj]
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(Y_intermediate[v_i0, v_i1])
                T.writes(compute_intermediate[v_i0, v_i1])
                compute_intermediate[v_i0, v_i1] = T.max(Y_intermediate[v_i0, v_i1], T.float16(0.0))

    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float16"), Wdata: R.Tensor((128, 32), dtype="uint32"), Wscale: R.Tensor((128, 8), dtype="float16")) -> R.Tensor(("n", 256), dtype="float16"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc: R.Tensor((128, 256), dtype="float16") = R.builtin.alloc_tensor(R.shape([128, 256]), R.dtype("float16"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((128, 256), dtype="float16"),))
        cls.decode_q4(Wdata, Wscale, alloc)
        W: R.Tensor((128, 256), dtype="float16") = alloc
        alloc1: R.Tensor((n, 256), dtype="float16") = R.builtin.alloc_tensor(R.shape([n, 256]), R.dtype("float16"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((n, 256), dtype="float16"),))
        cls.fused_mm_relu(x, W, alloc1)
        gv: R.Tensor((n, 256), dtype="float16") = alloc1
        return gv
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode_q4(Wdata: T.Buffer((T.int64(128), T.int64(32)), "uint32"), Wscale: T.Buffer((T.int64(128), T.int64(8)), "float16"), W: T.Buffer((T.int64(128), T.int64(256)), "float16")):
        T.func_attr({"op_pattern": 2, "tirx.noalias": True})
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(128), T.int64(256)):
            with T.sblock("decode"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Wdata[vi, vj // T.int64(8)], Wscale[vi, vj // T.int64(32)])
                T.writes(W[vi, vj])
                W[vi, vj] = (T.Cast("float16", T.bitwise_and(T.shift_right(Wdata[vi, vj // T.int64(8)], T.Cast("uint32", vj % T.int64(8) * T.int64(4))), T.uint32(15))) - T.float16(7.0)) * Wscale[vi, vj // T.int64(32)]

    @T.prim_func(private=True, s_tir=True)
    def fused_mm_relu(p_x: T.handle, W: T.Buffer((T.int64(128), T.int64(256)), "float16"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)), "float16")
        compute_intermediate = T.match_buffer(p_output0, (n, T.int64(256)), "float16")
        # with T.sblock("root"):
        Y_intermediate = T.sblock_alloc_buffer((n, T.int64(256)), "float16")
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], W[vk, vj])
                T.writes(Y_intermediate[vi, vj])
                with T.init():
                    Y_intermediate[vi, vj] = T.float16(0.0)
                Y_intermediate[vi, vj] = Y_intermediate[vi, vj] + x[vi, vk] * W[vk, vj]
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(Y_intermediate[v_i0, v_i1])
                T.writes(compute_intermediate[v_i0, v_i1])
                compute_intermediate[v_i0, v_i1] = T.max(Y_intermediate[v_i0, v_i1], T.float16(0.0))

    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float16"), Wdata: R.Tensor((128, 32), dtype="uint32"), Wscale: R.Tensor((128, 8), dtype="float16")) -> R.Tensor(("n", 256), dtype="float16"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([65536]), R.prim_value(0), R.str("global"), R.dtype("float16"))
        alloc: R.Tensor((128, 256), dtype="float16") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([128, 256]), R.dtype("float16"), R.prim_value(0))
        cls.decode_q4(Wdata, Wscale, alloc)
        W: R.Tensor((128, 256), dtype="float16") = alloc
        alloc1: R.Tensor((n, 256), dtype="float16") = R.builtin.alloc_tensor(R.shape([n, 256]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        cls.fused_mm_relu(x, W, alloc1)
        gv: R.Tensor((n, 256), dtype="float16") = alloc1
        return gv
