@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 16):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.sblock_attr({"layout_transform": T.index_map(lambda a, b: (a // 4, b, a % 4)), "one": T.index_map(lambda a: (a + 1,))})
                B[vi, vj] = A[vi, vj]
