@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16,), "int32")):
        A[0] = 0
        while A[0] < 10:
            A[0] = A[0] + 1
        while A[1] < 10 and A[0] > 0:
            A[1] = A[1] + A[0]
