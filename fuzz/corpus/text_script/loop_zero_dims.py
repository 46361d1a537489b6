@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((), "float32"), B: T.Buffer((1,), "float32")):
        with T.sblock("b"):
            vi = T.axis.spatial(1, 0)
            T.reads(B[vi])
            T.writes(A[()])
            A[()] = B[vi]
