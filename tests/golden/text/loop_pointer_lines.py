# What a launch or an allocation can't say of its variable stands in a line of its own.
# RUN: relax fmt --canonical %s >%t/again.py; tail -n +4 %t/again.py
# RUN: relax diff %s %t/again.py
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        p = T.handle("float32", "shared")
        q = T.handle()
        B = T.alloc_buffer((4,), data=p, scope="shared")
        C = T.alloc_buffer((4,), data=q)
        D = T.alloc_buffer((4,), data=q)
        B[0] = C[0] + D[0]

    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        blockIdx_x = T.int64()
        T.launch_thread(blockIdx_x, 16)
        A[blockIdx_x] = T.float32(0.0)
# WANT:
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        p = T.handle("float32", "shared")
        B = T.alloc_buffer((4,), scope="shared", data=p)
        C = T.alloc_buffer((4,))
        D = T.decl_buffer((4,), data=C.data)
        B[0] = C[0] + D[0]

    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        blockIdx_x = T.env_thread("blockIdx.x", "int64")
        with T.launch_thread(blockIdx_x, 16):
            A[blockIdx_x] = T.float32(0.0)
