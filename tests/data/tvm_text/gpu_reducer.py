# TVM's sum over rows, scheduled for CUDA, after LowerCrossThreadReduction: T.comm_reducer.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sum(var_x0: T.handle, var_x0_red: T.handle):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int64()
        x0 = T.match_buffer(var_x0, (n, T.int64(256)))
        x0_red = T.match_buffer(var_x0_red, (n,))
        # with T.sblock("root"):
        x0_red_rf_local = T.sblock_alloc_buffer((T.int64(256), n), scope="local")
        cross_thread_x0_red = T.sblock_alloc_buffer((1,), strides=(1,), scope="local")
        for ax0_fused in T.thread_binding(n, thread="blockIdx.x"):
            for ax1_fused_1 in T.thread_binding(T.int64(256), thread="threadIdx.x", annotations={"pragma_auto_unroll_max_step": 256, "pragma_unroll_explicit": 1}):
                with T.sblock("x0_red_rf_init"):
                    vax1_fused_1, v0 = T.axis.remap("SS", [ax1_fused_1, ax0_fused])
                    T.reads()
                    T.writes(x0_red_rf_local[vax1_fused_1, v0])
                    x0_red_rf_local[vax1_fused_1, v0] = T.float32(0.0)
                for ax1_fused_0, u in T.grid(T.int64(1), 1):
                    with T.sblock("x0_red_rf_update"):
                        vax1_fused_1, v0, vax1_fused_0 = T.axis.remap("SSR", [ax1_fused_1, ax0_fused, ax1_fused_0])
                        T.reads(x0_red_rf_local[vax1_fused_1, v0], x0[v0, vax1_fused_0 * T.int64(256) + vax1_fused_1])
                        T.writes(x0_red_rf_local[vax1_fused_1, v0])
                        x0_red_rf_local[vax1_fused_1, v0] = x0_red_rf_local[vax1_fused_1, v0] + x0[v0, vax1_fused_0 * T.int64(256) + vax1_fused_1]
            for ax1_fused in range(T.int64(1)):
                for ax0 in T.thread_binding(T.int64(256), thread="threadIdx.x"):
                    with T.sblock("x0_red_cross_thread"):
                        vax1_fused_1, v0 = T.axis.remap("RS", [ax0, ax0_fused])
                        T.reads(x0_red_rf_local[vax1_fused_1, v0])
                        T.writes(cross_thread_x0_red[0])
                        T.attr(T.comm_reducer(lambda x0_1, y0: x0_1 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                        T.tvm_thread_allreduce(T.uint32(1), x0_red_rf_local[vax1_fused_1, v0], T.bool(True), cross_thread_x0_red[0], ax0)
                    with T.sblock("x0_red_write_back"):
                        v0 = T.axis.spatial(n, ax0_fused)
                        T.where(ax0 == T.int64(0))
                        T.reads(cross_thread_x0_red[0])
                        T.writes(x0_red[v0])
                        x0_red[v0] = cross_thread_x0_red[0]
