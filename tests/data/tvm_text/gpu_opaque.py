# A batched product after LowerOpaqueBlock: annotated allocations, nodes that TVM would fold (T.Mul(0, 4)).
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def matmul(x0: T.Buffer((T.int64(4), T.int64(128), T.int64(64)), "float32"), x1: T.Buffer((T.int64(4), T.int64(64), T.int64(128)), "float32"), matmul: T.Buffer((T.int64(4), T.int64(128), T.int64(128)), "float32")):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        blockIdx_y = T.launch_thread("blockIdx.y", T.int64(8))
        blockIdx_x = T.launch_thread("blockIdx.x", T.int64(4))
        vthread_y = T.launch_thread("vthread.y", T.int64(1))
        vthread_x = T.launch_thread("vthread.x", T.int64(1))
        threadIdx_y = T.launch_thread("threadIdx.y", T.int64(16))
        threadIdx_x = T.launch_thread("threadIdx.x", T.int64(8))
        var = T.int64()
        T.attr(var, "pragma_auto_unroll_max_step", 256)
        T.attr(var, "pragma_unroll_explicit", 1)
        for var in range(T.int64(1)):
            matmul_reindex_local = T.alloc_local((T.int64(1), T.int64(4), T.int64(4)), annotations={"buffer_allocated_addr": [], "buffer_data_alignment": 64})
            for ax1_3_init, ax2_3_0_init in T.grid(T.int64(4), T.int64(2)):
                for ax2_3_1_init in T.vectorized(T.int64(2)):
                    matmul_reindex_local[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + T.Mul(T.int64(0), T.int64(32)) + threadIdx_x * T.int64(4) + ax1_3_init - (blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4)), blockIdx_y % T.int64(2) * T.int64(64) + T.Mul(T.int64(0), T.int64(64)) + threadIdx_y * T.int64(4) + ax2_3_0_init * T.int64(2) + ax2_3_1_init - (blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4))] = T.float32(0.0)
            for ax3_0 in range(T.int64(4)):
                x0_reindex_shared = T.alloc_shared((T.int64(1), T.int64(32), T.int64(16)), strides=(T.int64(576), T.int64(18), T.int64(1)), annotations={"buffer_allocated_addr": [], "buffer_data_alignment": 64, "buffer_dim_align": [[-1, 1, 8, 2]]})
                x1_reindex_shared = T.alloc_shared((T.int64(1), T.int64(64), T.int64(16)), strides=(T.int64(1152), T.int64(18), T.int64(1)), annotations={"buffer_allocated_addr": [], "buffer_data_alignment": 64, "buffer_dim_align": [[-1, 1, 8, 2]]})
                for ax0_ax1_ax2_fused_2 in range(T.int64(2)):
                    for ax0_ax1_ax2_fused_3 in T.vectorized(T.int64(2)):
                        x0_reindex_shared[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + (threadIdx_y * T.int64(32) + threadIdx_x * T.int64(4) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) // T.int64(16) - blockIdx_x * T.int64(32), ax3_0 * T.int64(16) + (threadIdx_y * T.int64(32) + threadIdx_x * T.int64(4) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) % T.int64(16) - ax3_0 * T.int64(16)] = x0[blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + (threadIdx_y * T.int64(32) + threadIdx_x * T.int64(4) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) // T.int64(16), ax3_0 * T.int64(16) + (threadIdx_y * T.int64(32) + threadIdx_x * T.int64(4) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) % T.int64(16)]
                for ax0_ax1_ax2_fused_2 in range(T.int64(4)):
                    for ax0_ax1_ax2_fused_3 in T.vectorized(T.int64(2)):
                        x1_reindex_shared[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_y % T.int64(2) * T.int64(64) + (threadIdx_y * T.int64(64) + threadIdx_x * T.int64(8) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) // T.int64(16) - blockIdx_y % T.int64(2) * T.int64(64), ax3_0 * T.int64(16) + (threadIdx_y * T.int64(64) + threadIdx_x * T.int64(8) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) % T.int64(16) - ax3_0 * T.int64(16)] = x1[blockIdx_y // T.int64(2), ax3_0 * T.int64(16) + (threadIdx_y * T.int64(64) + threadIdx_x * T.int64(8) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) % T.int64(16), blockIdx_y % T.int64(2) * T.int64(64) + (threadIdx_y * T.int64(64) + threadIdx_x * T.int64(8) + ax0_ax1_ax2_fused_2 * T.int64(2) + ax0_ax1_ax2_fused_3) // T.int64(16)]
                for ax3_1, ax1_3, ax2_3_0 in T.grid(T.int64(16), T.int64(4), T.int64(2)):
                    for ax2_3_1 in T.vectorized(T.int64(2)):
                        matmul_reindex_local[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + T.Mul(T.int64(0), T.int64(32)) + threadIdx_x * T.int64(4) + ax1_3 - (blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4)), blockIdx_y % T.int64(2) * T.int64(64) + T.Mul(T.int64(0), T.int64(64)) + threadIdx_y * T.int64(4) + ax2_3_0 * T.int64(2) + ax2_3_1 - (blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4))] = matmul_reindex_local[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + T.Mul(T.int64(0), T.int64(32)) + threadIdx_x * T.int64(4) + ax1_3 - (blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4)), blockIdx_y % T.int64(2) * T.int64(64) + T.Mul(T.int64(0), T.int64(64)) + threadIdx_y * T.int64(4) + ax2_3_0 * T.int64(2) + ax2_3_1 - (blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4))] + x0_reindex_shared[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + T.Mul(T.int64(0), T.int64(32)) + threadIdx_x * T.int64(4) + ax1_3 - blockIdx_x * T.int64(32), ax3_0 * T.int64(16) + ax3_1 - ax3_0 * T.int64(16)] * x1_reindex_shared[blockIdx_y // T.int64(2) - blockIdx_y // T.int64(2), blockIdx_y % T.int64(2) * T.int64(64) + T.Mul(T.int64(0), T.int64(64)) + threadIdx_y * T.int64(4) + ax2_3_0 * T.int64(2) + ax2_3_1 - blockIdx_y % T.int64(2) * T.int64(64), ax3_0 * T.int64(16) + ax3_1 - ax3_0 * T.int64(16)]
            for ax1, ax2_0 in T.grid(T.int64(4), T.int64(2)):
                for ax2_1 in T.vectorized(T.int64(2)):
                    matmul[T.Add(blockIdx_y // T.int64(2), T.int64(0)), blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4) + ax1, blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4) + ax2_0 * T.int64(2) + ax2_1] = matmul_reindex_local[T.Add(blockIdx_y // T.int64(2), T.int64(0)) - blockIdx_y // T.int64(2), blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4) + ax1 - (blockIdx_x * T.int64(32) + threadIdx_x * T.int64(4)), blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4) + ax2_0 * T.int64(2) + ax2_1 - (blockIdx_y % T.int64(2) * T.int64(64) + threadIdx_y * T.int64(4))]
