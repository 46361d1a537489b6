@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((8,), "float32"), H: T.Buffer((8,), "float16"), I: T.Buffer((8,), "int64"), J: T.Buffer((8,), "int8"), K: T.Buffer((8,), "float64")):
        A[0] = 1
        A[1] = 0.5
        H[0] = 1.5
        H[1] = T.float16(2)
        I[0] = 7
        I[1] = T.int64(9007199254740993)
        I[2] = I[0] + 1
        J[0] = -3
        K[0] = 0.1
        K[1] = K[0] * 2
        A[2] = A[0] + 1
        A[T.int64(3)] = A[T.int64(2)] * 0.25
