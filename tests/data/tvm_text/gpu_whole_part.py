# A layer norm after StorageRewrite: x = A[0:n] names a whole buffer.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def layer_norm(var_x0: T.handle, x1: T.Buffer((T.int64(256),), "float32"), x2: T.Buffer((T.int64(256),), "float32"), var_T_layer_norm: T.handle):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int64()
        x0 = T.match_buffer(var_x0, (n, T.int64(256)))
        T_layer_norm = T.match_buffer(var_T_layer_norm, (n, T.int64(256)))
        x0_1 = T.decl_buffer((n * T.int64(256),), data=x0.data, elem_offset=0)
        x1_1 = x1[0:T.int64(256)]
        x2_1 = x2[0:T.int64(256)]
        T_layer_norm_1 = T.decl_buffer((n * T.int64(256),), data=T_layer_norm.data, elem_offset=0)
        with T.launch_thread("blockIdx.x", n) as blockIdx_x:
            in_thread_x0_sum_shared = T.alloc_local((1,))
            cross_thread_x0_sum_shared = T.alloc_local((1,))
            x0_sum_shared = T.alloc_shared((1,))
            in_thread_x0_var_sum_shared = T.alloc_local((1,))
            cross_thread_x0_var_sum_shared = T.alloc_local((1,))
            x0_var_sum_shared = T.alloc_shared((1,))
            with T.launch_thread("threadIdx.x", T.int64(256)) as threadIdx_x:
                in_thread_x0_sum_shared[0] = T.float32(0.0)
                ax1_fused_0 = T.int64()
                with T.attr(ax1_fused_0, "pragma_auto_unroll_max_step", 256):
                    T.attr(ax1_fused_0, "pragma_unroll_explicit", 1)
                    for ax1_fused_0 in range(T.int64(1)):
                        in_thread_x0_sum_shared[0] = in_thread_x0_sum_shared[0] + x0_1[blockIdx_x * T.int64(256) + threadIdx_x]
                with T.attr(T.comm_reducer(lambda x0_2, y0: x0_2 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                    T.tvm_thread_allreduce(T.uint32(1), in_thread_x0_sum_shared[0], T.bool(True), cross_thread_x0_sum_shared[0], threadIdx_x)
                if threadIdx_x == T.int64(0):
                    x0_sum_shared[0] = cross_thread_x0_sum_shared[0]
                in_thread_x0_var_sum_shared[0] = T.float32(0.0)
                ax1_fused_0_1 = T.int64()
                with T.attr(ax1_fused_0_1, "pragma_auto_unroll_max_step", 256):
                    T.attr(ax1_fused_0_1, "pragma_unroll_explicit", 1)
                    for ax1_fused_0_1 in range(T.int64(1)):
                        in_thread_x0_var_sum_shared[0] = in_thread_x0_var_sum_shared[0] + (x0_1[blockIdx_x * T.int64(256) + threadIdx_x] - x0_sum_shared[0] / T.float32(256.0)) * (x0_1[blockIdx_x * T.int64(256) + threadIdx_x] - x0_sum_shared[0] / T.float32(256.0))
                with T.attr(T.comm_reducer(lambda x0_2, y0: x0_2 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                    T.tvm_thread_allreduce(T.uint32(1), in_thread_x0_var_sum_shared[0], T.bool(True), cross_thread_x0_var_sum_shared[0], threadIdx_x)
                if threadIdx_x == T.int64(0):
                    x0_var_sum_shared[0] = cross_thread_x0_var_sum_shared[0]
                ax1_0 = T.int64()
                with T.attr(ax1_0, "pragma_auto_unroll_max_step", 256):
                    T.attr(ax1_0, "pragma_unroll_explicit", 1)
                    for ax1_0 in range(T.int64(1)):
                        T_layer_norm_1[blockIdx_x * T.int64(256) + threadIdx_x] = (x0_1[blockIdx_x * T.int64(256) + threadIdx_x] - x0_sum_shared[0] / T.float32(256.0)) * T.rsqrt(x0_var_sum_shared[0] / T.float32(256.0) + T.float32(1.0000000000000001e-05)) * x1_1[threadIdx_x] + x2_1[threadIdx_x]
