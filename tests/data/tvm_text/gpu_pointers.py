# The same after StorageRewrite: typed pointers, buffers that no statement declares.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def matmul(x0: T.Buffer((T.int64(128), T.int64(256)), "float16"), x1: T.Buffer((T.int64(256), T.int64(512)), "float16"), matmul: T.Buffer((T.int64(128), T.int64(512)), "float16")):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        x0_1 = T.decl_buffer((32768,), "float16", data=x0.data)
        x1_1 = T.decl_buffer((131072,), "float16", data=x1.data)
        matmul_1 = T.decl_buffer((65536,), "float16", data=matmul.data)
        with T.launch_thread("blockIdx.z", T.int64(1)) as blockIdx_z:
            matmul_reindex_shared_dyn_wmma_accumulator = T.alloc_buffer((1024,), "float16", scope="wmma.accumulator")
            x0_reindex_shared_dyn_local = T.alloc_local((4,), "float16x4")
            x1_reindex_shared_dyn_local = T.alloc_local((4,), "float16x4")
            x0_reindex_shared_dyn = T.alloc_buffer((18432,), "float16", scope="shared.dyn")
            x1_reindex_shared_dyn = T.alloc_buffer((18432,), "float16", scope="shared.dyn")
            x0_reindex_shared_dyn_wmma_matrix_a = T.alloc_buffer((1024,), "float16", scope="wmma.matrix_a")
            x1_reindex_shared_dyn_wmma_matrix_b = T.alloc_buffer((1024,), "float16", scope="wmma.matrix_b")
            with T.launch_thread("blockIdx.x", T.int64(1)) as blockIdx_x:
                blockIdx_y = T.launch_thread("blockIdx.y", 4)
                threadIdx_x = T.launch_thread("threadIdx.x", 32)
                threadIdx_y = T.launch_thread("threadIdx.y", 16)
                x0_reindex_shared_dyn_1 = x0_reindex_shared_dyn.view(16384)
                for ax1_0_3_init, ax2_0_3_init in T.grid(2, 2):
                    T.tvm_fill_fragment(matmul_reindex_shared_dyn_wmma_accumulator.data, 16, 16, 16, (ax1_0_3_init * 512 + ax2_0_3_init * 16) // 32 // 16 * 2 + (ax1_0_3_init * 512 + ax2_0_3_init * 16) % 32 // 16, T.float32(0.0))
                for ax0_ax1_fused_0 in range(4):
                    x0_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)] = x0_1[T.Broadcast(ax0_ax1_fused_0 * 8192 + threadIdx_y * 512, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(256, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4)]
                for ax0_ax1_fused_0 in range(4):
                    x1_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)] = x1_1[T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4) * T.Broadcast(512, 4) + T.Broadcast(blockIdx_y * 128, 4) + T.Broadcast(ax0_ax1_fused_0 * 32, 4) + T.Broadcast(threadIdx_y * 2, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4)]
                x0_reindex_shared_dyn_2 = T.Buffer((18432,), "float16", data=x0_reindex_shared_dyn.data, scope="shared.dyn")
                for ax0_ax1_fused_0 in range(4):
                    x0_reindex_shared_dyn_2[T.Broadcast(ax0_ax1_fused_0 * 2304 + threadIdx_y * 144, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(72, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4)] = x0_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)]
                for ax0_ax1_fused_0 in range(4):
                    x1_reindex_shared_dyn[T.Broadcast(ax0_ax1_fused_0 * 2304 + threadIdx_y * 144, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(72, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4)] = x1_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)]
                for ax0_0 in T.unroll(2):
                    T.tvm_load_matrix_sync(x0_reindex_shared_dyn_wmma_matrix_a.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16, T.tvm_access_ptr(T.type_annotation("float16"), x0_reindex_shared_dyn.data, threadIdx_y % 4 * 2304 + ax0_0 * 1152, 1152, 1), 72, "row_major")
                for ax0_0 in T.unroll(2):
                    T.tvm_load_matrix_sync(x1_reindex_shared_dyn_wmma_matrix_b.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16, T.tvm_access_ptr(T.type_annotation("float16"), x1_reindex_shared_dyn.data, threadIdx_y // 4 * 2304 + ax0_0 * 1152, 1152, 1), 72, "col_major")
                for ax3_0_0 in range(3):
                    if ax3_0_0 + 1 < 4:
                        for ax0_ax1_fused_0 in range(4):
                            x0_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)] = x0_1[T.Broadcast(ax0_ax1_fused_0 * 8192 + threadIdx_y * 512, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(256, 4) + T.Broadcast(ax3_0_0 * 64, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4) + T.Broadcast(64, 4)]
                    if ax3_0_0 + 1 < 4:
                        for ax0_ax1_fused_0 in range(4):
                            x1_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)] = x1_1[T.Broadcast(ax3_0_0 * 32768, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4) * T.Broadcast(512, 4) + T.Broadcast(blockIdx_y * 128, 4) + T.Broadcast(ax0_ax1_fused_0 * 32, 4) + T.Broadcast(threadIdx_y * 2, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) + T.Broadcast(32768, 4)]
                    if ax3_0_0 + 1 - 1 < 4:
                        for ax3_0_1 in range(3):
                            if ax3_0_1 + 1 < 4:
                                for ax0_0 in T.unroll(2):
                                    T.tvm_load_matrix_sync(x0_reindex_shared_dyn_wmma_matrix_a.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16 + (ax3_0_1 + 1) % 2 * 2, T.tvm_access_ptr(T.type_annotation("float16"), x0_reindex_shared_dyn.data, threadIdx_y % 4 * 2304 + ax0_0 * 1152 + (ax3_0_1 + 1) * 16 + (ax3_0_0 - 1 + 1) % 2 * 9216, 1152, 1), 72, "row_major")
                            if ax3_0_1 + 1 < 4:
                                for ax0_0 in T.unroll(2):
                                    T.tvm_load_matrix_sync(x1_reindex_shared_dyn_wmma_matrix_b.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16 + (ax3_0_1 + 1) % 2 * 2, T.tvm_access_ptr(T.type_annotation("float16"), x1_reindex_shared_dyn.data, threadIdx_y // 4 * 2304 + ax0_0 * 1152 + (ax3_0_1 + 1) * 16 + (ax3_0_0 - 1 + 1) % 2 * 9216, 1152, 1), 72, "col_major")
                            if ax3_0_1 + 1 - 1 < 4:
                                for ax1_0_3, ax2_0_3 in T.grid(2, 2):
                                    T.tvm_mma_sync(matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16, x0_reindex_shared_dyn_wmma_matrix_a.data, ax1_0_3 * 256 // 16 // 16 + ax1_0_3 * 256 % 16 // 16 + (ax3_0_1 - 1 + 1) % 2 * 2, x1_reindex_shared_dyn_wmma_matrix_b.data, ax2_0_3 * 256 // 16 // 16 + ax2_0_3 * 256 % 16 // 16 + (ax3_0_1 - 1 + 1) % 2 * 2, matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16)
                    if ax3_0_0 + 1 < 4:
                        for ax0_ax1_fused_0 in range(4):
                            x0_reindex_shared_dyn_2[T.Broadcast((ax3_0_0 + 1) % 2 * 9216 + ax0_ax1_fused_0 * 2304 + threadIdx_y * 144, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(72, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4)] = x0_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)]
                    if ax3_0_0 + 1 < 4:
                        for ax0_ax1_fused_0 in range(4):
                            x1_reindex_shared_dyn[T.Broadcast((ax3_0_0 + 1) % 2 * 9216 + ax0_ax1_fused_0 * 2304 + threadIdx_y * 144, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(64, 4) * T.Broadcast(72, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(64, 4)] = x1_reindex_shared_dyn_local[T.Div(ax0_ax1_fused_0 * 4, 4)]
                    if ax3_0_0 + 1 < 4:
                        for ax0_0 in T.unroll(2):
                            T.tvm_load_matrix_sync(x0_reindex_shared_dyn_wmma_matrix_a.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16, T.tvm_access_ptr(T.type_annotation("float16"), x0_reindex_shared_dyn.data, threadIdx_y % 4 * 2304 + ax0_0 * 1152 + (ax3_0_0 + 1) % 2 * 9216, 1152, 1), 72, "row_major")
                        for ax0_0 in T.unroll(2):
                            T.tvm_load_matrix_sync(x1_reindex_shared_dyn_wmma_matrix_b.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16, T.tvm_access_ptr(T.type_annotation("float16"), x1_reindex_shared_dyn.data, threadIdx_y // 4 * 2304 + ax0_0 * 1152 + (ax3_0_0 + 1) % 2 * 9216, 1152, 1), 72, "col_major")
                    if ax3_0_0 + 1 - 1 < 4:
                        for ax1_0_3, ax2_0_3 in T.grid(2, 2):
                            T.tvm_mma_sync(matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16, x0_reindex_shared_dyn_wmma_matrix_a.data, ax1_0_3 * 256 // 16 // 16 + ax1_0_3 * 256 % 16 // 16 + 2, x1_reindex_shared_dyn_wmma_matrix_b.data, ax2_0_3 * 256 // 16 // 16 + ax2_0_3 * 256 % 16 // 16 + 2, matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16)
                for ax3_0_1 in range(3):
                    if ax3_0_1 + 1 < 4:
                        for ax0_0 in T.unroll(2):
                            T.tvm_load_matrix_sync(x0_reindex_shared_dyn_wmma_matrix_a.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16 + (ax3_0_1 + 1) % 2 * 2, T.tvm_access_ptr(T.type_annotation("float16"), x0_reindex_shared_dyn.data, threadIdx_y % 4 * 2304 + ax0_0 * 1152 + (ax3_0_1 + 1) * 16 + 9216, 1152, 1), 72, "row_major")
                    if ax3_0_1 + 1 < 4:
                        for ax0_0 in T.unroll(2):
                            T.tvm_load_matrix_sync(x1_reindex_shared_dyn_wmma_matrix_b.data, 16, 16, 16, ax0_0 * 256 // 16 // 16 + ax0_0 * 256 % 16 // 16 + (ax3_0_1 + 1) % 2 * 2, T.tvm_access_ptr(T.type_annotation("float16"), x1_reindex_shared_dyn.data, threadIdx_y // 4 * 2304 + ax0_0 * 1152 + (ax3_0_1 + 1) * 16 + 9216, 1152, 1), 72, "col_major")
                    if ax3_0_1 + 1 - 1 < 4:
                        for ax1_0_3, ax2_0_3 in T.grid(2, 2):
                            T.tvm_mma_sync(matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16, x0_reindex_shared_dyn_wmma_matrix_a.data, ax1_0_3 * 256 // 16 // 16 + ax1_0_3 * 256 % 16 // 16 + (ax3_0_1 - 1 + 1) % 2 * 2, x1_reindex_shared_dyn_wmma_matrix_b.data, ax2_0_3 * 256 // 16 // 16 + ax2_0_3 * 256 % 16 // 16 + (ax3_0_1 - 1 + 1) % 2 * 2, matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16)
                for ax1_0_3, ax2_0_3 in T.grid(2, 2):
                    T.tvm_mma_sync(matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16, x0_reindex_shared_dyn_wmma_matrix_a.data, ax1_0_3 * 256 // 16 // 16 + ax1_0_3 * 256 % 16 // 16 + 2, x1_reindex_shared_dyn_wmma_matrix_b.data, ax2_0_3 * 256 // 16 // 16 + ax2_0_3 * 256 % 16 // 16 + 2, matmul_reindex_shared_dyn_wmma_accumulator.data, (ax1_0_3 * 512 + ax2_0_3 * 16) // 32 // 16 * 2 + (ax1_0_3 * 512 + ax2_0_3 * 16) % 32 // 16)
                for ax0_0, ax1_0 in T.grid(2, 2):
                    T.tvm_store_matrix_sync(matmul_reindex_shared_dyn_wmma_accumulator.data, 16, 16, 16, (ax0_0 * 512 + ax1_0 * 16) // 32 // 16 * 2 + (ax0_0 * 512 + ax1_0 * 16) % 32 // 16, T.tvm_access_ptr(T.type_annotation("float16"), x0_reindex_shared_dyn.data, threadIdx_y % 4 * 4096 + ax0_0 * 2048 + threadIdx_y // 4 * 32 + ax1_0 * 16, 2048, 2), 128, "row_major")
                for ax0_ax1_fused_0 in range(8):
                    matmul_1[T.Broadcast(threadIdx_y % 4 * 16384 + ax0_ax1_fused_0 * 2048, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(32, 4) * T.Broadcast(512, 4) + T.Broadcast(blockIdx_y * 128, 4) + T.Broadcast(threadIdx_y // 4 * 32, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(32, 4)] = x0_reindex_shared_dyn_1[T.Broadcast(threadIdx_y % 4 * 4096 + ax0_ax1_fused_0 * 512, 4) + T.Ramp(threadIdx_x * 4, 1, 4) // T.Broadcast(32, 4) * T.Broadcast(128, 4) + T.Broadcast(threadIdx_y // 4 * 32, 4) + T.Ramp(threadIdx_x * 4, 1, 4) % T.Broadcast(32, 4)]
