@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((16,), "float32")):
        B = T.alloc_buffer((16,), "float32", scope="shared")
        C = T.alloc_buffer((4, 4), "int32")
        D = T.decl_buffer((4, 4), "float32", data=B.data, scope="shared")
        for i in range(16):
            B[i] = A[i]
        for i, j in T.grid(4, 4):
            C[i, j] = T.Cast("int32", D[i, j])
        E = T.alloc_buffer((2,), scope="local")
        E[0] = B[0]
