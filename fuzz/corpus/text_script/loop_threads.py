@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
        for bx in T.thread_binding(8, thread="blockIdx.x"):
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                for v in T.vectorized(4):
                    with T.sblock("copy"):
                        vi = T.axis.spatial(1024, bx * 128 + tx * 4 + v)
                        T.reads(A[vi])
                        T.writes(B[vi])
                        B[vi] = A[vi]
        for vt in T.thread_binding(2, thread="vthread.x", annotations={"pragma_import_c": "x"}):
            B[vt] = A[vt]
