@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for i in T.parallel(16):
            for j in T.vectorized(16):
                with T.sblock("a"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
        for i in T.unroll(4):
            for j in T.serial(2, 6):
                B[i, j] = A[j, i]
        for i in T.serial(4, annotations={"pragma_unroll": 1, "k": [1, 2]}):
            B[i, i] = T.float32(0)
        for i in range(3, 9):
            B[i, 0] = A[i, 1]
        for i, j, k in T.grid(2, 3, 4):
            B[i, j] = A[j, k]
        for i in T.parallel(2, 8, annotations={"x": "y"}):
            B[i, 2] = A[i, 2]
