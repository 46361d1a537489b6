@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        for i, j in T.grid(16, 8):
            with T.sblock("sum"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.reduce(8, j)
                T.where(j < 7)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vj]
        for i in range(16):
            with T.sblock("scan"):
                vi = T.axis.scan(16, i)
                C[vi] = B[vi]
        for i in range(4):
            with T.sblock("opaque"):
                vi = T.axis.opaque(16, i * 4)
                vj = T.axis.spatial((0, 8), i)
                vk = T.axis.spatial((2, 10), i + 2)
                C[vi] = B[vj] + B[vk]
