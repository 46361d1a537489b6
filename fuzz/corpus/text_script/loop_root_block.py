@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        with T.sblock("root"):
            T.reads()
            T.writes()
            T.sblock_attr({"meta_schedule.parallel": 128})
            C = T.sblock_alloc_buffer((4,))
            for i in range(4):
                with T.sblock("a"):
                    v = T.axis.spatial(4, i)
                    C[v] = A[v]
            for i in range(4):
                with T.sblock("b"):
                    v = T.axis.spatial(4, i)
                    B[v] = C[v]

    @T.prim_func(private=True, s_tir=True)
    def g(A: T.Buffer((4,), "float32")):
        with T.sblock("only"):
            A[0] = T.float32(1)
