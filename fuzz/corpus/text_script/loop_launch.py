@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((512,), "float32")):
        with T.launch_thread("blockIdx.x", 16) as bx:
            with T.launch_thread("threadIdx.x", 32) as tx:
                A[bx * 32 + tx] = T.float32(1)

    @T.prim_func(private=True)
    def g(A: T.Buffer((512,), "float32"), n: T.int64):
        bx = T.launch_thread("blockIdx.x", n)
        tx = T.launch_thread("threadIdx.x", T.int64(32))
        A[bx * T.int64(32) + tx] = T.float32(1)
