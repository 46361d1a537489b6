@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((16,), "int32"), n: T.int32):
        z: T.int32 = n
        while z < 10:
            z = z + 1
        w = n * 2
        w += 3
        A[0] = z + w
