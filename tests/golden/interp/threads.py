# Threads of a block wait for each other; the buffers of a program are its results.
# RUN: relax eval %s turn --seed 2
@I.ir_module
class Module:
    @T.prim_func
    def turn(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
        tx = T.launch_thread("threadIdx.x", 6)
        S = T.alloc_buffer((6,), "int32", scope="shared")
        S[tx] = A[tx]
        T.tvm_storage_sync("shared")
        B[tx] = S[5 - tx]
# WANT:
A: int32[6] = 4, 7, 5, 0, 2, 2
B: int32[6] = 2, 2, 0, 5, 7, 4
