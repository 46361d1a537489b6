@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((4,), "int8"), B: T.Buffer((64,), "uint8"), C: T.Buffer((64,), "float16"), E: T.Buffer((64,), "uint32"), F: T.Buffer((64,), "float64")):
        T.evaluate(A[0] + 1)
        T.evaluate(B[0] + 1)
        T.evaluate(C[0] + 1)
        T.evaluate(C[0] + 1.5)
        T.evaluate(E[0] + 1)
        T.evaluate(F[0] + 0.1)
        T.evaluate(B[0] << 1)
        T.evaluate(A[0] + B[0])
        T.evaluate(A[0] + E[0])
        T.evaluate(A[0] < 1)
        T.evaluate(E[0] + T.int64(1))
        T.evaluate(T.max(A[0], 1))
        T.evaluate(T.if_then_else(A[0] < 1, 1, A[0]))
        T.evaluate(T.pow(C[0], 2))
        A[0] = 1
        B[0] = 200
        C[0] = 1.5
        E[0] = A[0]
