# TVM's argmax, scheduled for CUDA: a reducer of two values at once. TVM can't read its lambda's `and`.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def argmax(x0: T.Buffer((T.int64(128), T.int64(256)), "float32"), x0_red: T.Buffer((T.int64(128),), "int64")):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        # with T.sblock("root"):
        x0_red_temp_v0_shared = T.sblock_alloc_buffer((T.int64(128),), "int64", scope="shared")
        x0_red_temp_v1_shared = T.sblock_alloc_buffer((T.int64(128),), scope="shared")
        cross_thread_x0_red_temp_v0_shared = T.sblock_alloc_buffer((1,), "int64", strides=(1,), scope="local")
        cross_thread_x0_red_temp_v1_shared = T.sblock_alloc_buffer((1,), strides=(1,), scope="local")
        in_thread_x0_red_temp_v0_shared = T.sblock_alloc_buffer((1,), "int64", strides=(1,), scope="local")
        in_thread_x0_red_temp_v1_shared = T.sblock_alloc_buffer((1,), strides=(1,), scope="local")
        for ax0_fused in T.thread_binding(T.int64(128), thread="blockIdx.x"):
            for ax0 in range(T.int64(1)):
                for ax1_fused_1 in T.thread_binding(T.int64(256), thread="threadIdx.x"):
                    with T.sblock("x0_red_temp_in_thread_init"):
                        T.reads()
                        T.writes(in_thread_x0_red_temp_v0_shared[0], in_thread_x0_red_temp_v1_shared[0])
                        in_thread_x0_red_temp_v0_shared[0] = T.int64(-1)
                        in_thread_x0_red_temp_v1_shared[0] = T.float32(-340282346638528859811704183484516925440.0)
                    for ax1_fused_0 in T.serial(T.int64(1), annotations={"pragma_auto_unroll_max_step": 256, "pragma_unroll_explicit": 1}):
                        with T.sblock("x0_red_temp_in_thread"):
                            v0 = T.axis.spatial(T.int64(128), ax0_fused + ax0)
                            v1 = T.axis.reduce(T.int64(256), ax1_fused_0 * T.int64(256) + ax1_fused_1)
                            T.reads(x0[v0, v1])
                            T.writes(in_thread_x0_red_temp_v0_shared[0], in_thread_x0_red_temp_v1_shared[0])
                            v_x0_red_temp_v0: T.let[T.int64] = T.Select(in_thread_x0_red_temp_v1_shared[0] > x0[v0, v1] or in_thread_x0_red_temp_v1_shared[0] == x0[v0, v1] and in_thread_x0_red_temp_v0_shared[0] < v1, in_thread_x0_red_temp_v0_shared[0], v1)
                            v_x0_red_temp_v1: T.let[T.float32] = T.Select(in_thread_x0_red_temp_v1_shared[0] > x0[v0, v1], in_thread_x0_red_temp_v1_shared[0], x0[v0, v1])
                            in_thread_x0_red_temp_v0_shared[0] = v_x0_red_temp_v0
                            in_thread_x0_red_temp_v1_shared[0] = v_x0_red_temp_v1
                    with T.sblock("x0_red_temp_cross_thread"):
                        T.reads(in_thread_x0_red_temp_v0_shared[0], in_thread_x0_red_temp_v1_shared[0])
                        T.writes(cross_thread_x0_red_temp_v0_shared[0], cross_thread_x0_red_temp_v1_shared[0])
                        T.attr(T.comm_reducer(lambda x0_1, x1, y0, y1: (T.Select(x1 > y1 or x1 == y1 and x0_1 < y0, x0_1, y0), T.Select(x1 > y1, x1, y1)), [T.int64(-1), T.float32(-340282346638528859811704183484516925440.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                        T.tvm_thread_allreduce(T.uint32(2), in_thread_x0_red_temp_v0_shared[0], in_thread_x0_red_temp_v1_shared[0], T.bool(True), cross_thread_x0_red_temp_v0_shared[0], cross_thread_x0_red_temp_v1_shared[0], ax1_fused_1)
                    with T.sblock("x0_red_temp_write_back"):
                        v0 = T.axis.spatial(T.int64(128), ax0_fused + ax0)
                        T.where(ax1_fused_1 == T.int64(0))
                        T.reads(cross_thread_x0_red_temp_v0_shared[0], cross_thread_x0_red_temp_v1_shared[0])
                        T.writes(x0_red_temp_v0_shared[v0], x0_red_temp_v1_shared[v0])
                        x0_red_temp_v0_shared[v0] = cross_thread_x0_red_temp_v0_shared[0]
                        x0_red_temp_v1_shared[v0] = cross_thread_x0_red_temp_v1_shared[0]
            for ax1_1 in T.thread_binding(T.int64(256), thread="threadIdx.x"):
                for ax1_0 in T.serial(T.int64(1), annotations={"pragma_auto_unroll_max_step": 256, "pragma_unroll_explicit": 1}):
                    with T.sblock("x0_red"):
                        v0 = T.axis.spatial(T.int64(128), ax0_fused)
                        v1 = T.axis.spatial(T.int64(1), ax1_0 * T.int64(256) + ax1_1)
                        T.where(ax1_0 * T.int64(256) + ax1_1 < T.int64(1))
                        T.reads(x0_red_temp_v0_shared[v0])
                        T.writes(x0_red[v0])
                        x0_red[v0] = x0_red_temp_v0_shared[v0]
