@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((16,), "int32"), n: T.int32):
        x: T.let[T.int32] = n + 1
        y: T.let = x * 2
        for i in range(4):
            z: T.let[T.int32] = i + y
            A[i] = z
        A[0] = T.Let(x + 1, where={y: 3})
