# A transposition after LowerOpaqueBlock: an attribute names a thread before its launch. TVM can't read it back.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def transpose(var_x0: T.handle, var_T_transpose: T.handle):
        T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "tag": "", "thread_warp_size": 32}), "tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int64()
        x0 = T.match_buffer(var_x0, (n, T.int64(256)))
        T_transpose = T.match_buffer(var_T_transpose, (T.int64(256), n))
        blockIdx_y = T.int64()
        T.attr(blockIdx_y, "pragma_auto_unroll_max_step", 256)
        T.attr(blockIdx_y, "pragma_unroll_explicit", 1)
        T.launch_thread(blockIdx_y, T.int64(32))
        blockIdx_x = T.launch_thread("blockIdx.x", (n + T.int64(15)) // T.int64(16))
        threadIdx_x = T.launch_thread("threadIdx.x", T.int64(16))
        threadIdx_y = T.launch_thread("threadIdx.y", T.int64(8))
        x0_shared = T.alloc_shared((T.min(n, T.int64(16)), T.int64(8)), strides=(T.int64(33), T.int64(1)), annotations={"buffer_allocated_addr": [], "buffer_data_alignment": 64, "buffer_dim_align": [[-1, 0, 32, 1]]})
        if blockIdx_x * T.int64(16) + T.Add((T.Mul(T.int64(0), T.int64(8)) + threadIdx_y) * T.int64(16) + threadIdx_x, T.int64(0)) // T.int64(8) < n:
            x0_shared[blockIdx_x * T.int64(16) + T.Add(T.Mul(T.int64(0), T.int64(128)) + threadIdx_y * T.int64(16) + threadIdx_x, T.int64(0)) // T.int64(8) - blockIdx_x * T.int64(16), blockIdx_y * T.int64(8) + T.Add(T.Mul(T.int64(0), T.int64(128)) + threadIdx_y * T.int64(16) + threadIdx_x, T.int64(0)) % T.int64(8) - blockIdx_y * T.int64(8)] = x0[blockIdx_x * T.int64(16) + T.Add(T.Mul(T.int64(0), T.int64(128)) + threadIdx_y * T.int64(16) + threadIdx_x, T.int64(0)) // T.int64(8), blockIdx_y * T.int64(8) + T.Add(T.Mul(T.int64(0), T.int64(128)) + threadIdx_y * T.int64(16) + threadIdx_x, T.int64(0)) % T.int64(8)]
        if blockIdx_x * T.int64(16) + threadIdx_x < n:
            T_transpose[T.Add(T.Add(blockIdx_y * T.int64(8) + threadIdx_y, T.int64(0)), T.int64(0)), blockIdx_x * T.int64(16) + threadIdx_x] = x0_shared[blockIdx_x * T.int64(16) + threadIdx_x - blockIdx_x * T.int64(16), T.Add(T.Add(blockIdx_y * T.int64(8) + threadIdx_y, T.int64(0)), T.int64(0)) - blockIdx_y * T.int64(8)]
