@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((64,), "float32"), B: T.Buffer((8, 64), "float32")):
        A[0:4] = T.Broadcast(T.float32(1), 4)
        A[0:8:2] = A[8:16:2]
        A[4:8] = B[3, 0:4]
        B[0, 8:16] = A[0:8]
        A[T.Ramp(0, 1, 4)] = T.Cast("float32x4", T.Broadcast(2, 4))
