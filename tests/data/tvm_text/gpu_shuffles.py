# An RMS norm after LowerThreadAllreduce.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def rms_norm(var_x0: T.handle, x1: T.Buffer((T.int64(256),), "float32"), var_T_cast: T.handle):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int64()
        x0 = T.match_buffer(var_x0, (n, T.int64(256)))
        T_cast = T.match_buffer(var_T_cast, (n, T.int64(256)))
        x0_1 = T.decl_buffer((n * T.int64(256),), data=x0.data, elem_offset=0)
        x1_1 = x1[0:T.int64(256)]
        T_cast_1 = T.decl_buffer((n * T.int64(256),), data=T_cast.data, elem_offset=0)
        with T.launch_thread("blockIdx.x", n) as blockIdx_x:
            T_multiply_red_rf_local = T.alloc_local((1,))
            red_result = T.alloc_shared((T.int64(1),), annotations={"tirx.volatile": True})
            T_multiply_red_shared = T.alloc_shared((1,))
            with T.launch_thread("threadIdx.x", T.int64(256)) as threadIdx_x:
                T_multiply_red_rf_local[0] = T.float32(0.0)
                T_multiply_red_rf_local[0] = T_multiply_red_rf_local[0] + x0_1[blockIdx_x * T.int64(256) + threadIdx_x] * x0_1[blockIdx_x * T.int64(256) + threadIdx_x]
                with T.attr(T.comm_reducer(lambda x0_2, y0: x0_2 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                    red_buf_staging = T.alloc_shared((T.int64(8),))
                    t0 = T.alloc_local((1,))
                    mask = T.alloc_local((1,), "uint32")
                    red_buf0 = T.alloc_local((1,))
                    t0_1 = T.alloc_local((1,))
                    mask_1 = T.alloc_local((1,), "uint32")
                    red_buf0_1 = T.alloc_local((1,))
                    red_buf0[0] = T_multiply_red_rf_local[0]
                    mask[0] = T.tvm_warp_activemask()
                    t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0[0], 16, 32, 32)
                    red_buf0[0] = red_buf0[0] + t0[0]
                    t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0[0], 8, 32, 32)
                    red_buf0[0] = red_buf0[0] + t0[0]
                    t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0[0], 4, 32, 32)
                    red_buf0[0] = red_buf0[0] + t0[0]
                    t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0[0], 2, 32, 32)
                    red_buf0[0] = red_buf0[0] + t0[0]
                    t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0[0], 1, 32, 32)
                    red_buf0[0] = red_buf0[0] + t0[0]
                    if threadIdx_x % T.int64(32) == T.int64(0):
                        red_buf_staging[threadIdx_x // T.int64(32)] = red_buf0[0]
                    T.tvm_storage_sync("shared")
                    if threadIdx_x < T.int64(8):
                        red_buf0_1[0] = red_buf_staging[threadIdx_x]
                    mask_1[0] = T.tvm_warp_activemask()
                    t0_1[0] = T.tvm_warp_shuffle_down(mask_1[0], red_buf0_1[0], 4, 32, 32)
                    red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
                    t0_1[0] = T.tvm_warp_shuffle_down(mask_1[0], red_buf0_1[0], 2, 32, 32)
                    red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
                    t0_1[0] = T.tvm_warp_shuffle_down(mask_1[0], red_buf0_1[0], 1, 32, 32)
                    red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
                    if threadIdx_x == T.int64(0):
                        red_result[0] = red_buf0_1[0]
                    T.tvm_storage_sync("shared")
                if threadIdx_x == T.int64(0):
                    T_multiply_red_shared[0] = red_result[0]
                T.tvm_storage_sync("shared")
                T_cast_1[blockIdx_x * T.int64(256) + threadIdx_x] = T.rsqrt(T_multiply_red_shared[0] / T.float32(256.0) + T.float32(1.0000000000000001e-05)) * x0_1[blockIdx_x * T.int64(256) + threadIdx_x] * x1_1[threadIdx_x]
