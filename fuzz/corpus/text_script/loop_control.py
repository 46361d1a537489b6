@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            if i < n:
                A[i] = T.float32(1)
            else:
                if i == n:
                    A[i] = T.float32(2)
                else:
                    A[i] = T.float32(3)
            if i > 8 and n > 2:
                A[i] = T.float32(4)
        assert n > 0, "n must be positive"
        assert n < 100, ("ValueError", ["n is too large"])
        A[0] = T.float32(0)
