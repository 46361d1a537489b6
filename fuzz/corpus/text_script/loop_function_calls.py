@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def small(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m,))
        B = T.match_buffer(b, (m,))
        for i in range(m):
            with T.sblock("b"):
                v = T.axis.spatial(m, i)
                B[v] = A[v]

    @T.prim_func(private=True, s_tir=True)
    def pick(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m,))
        B = T.match_buffer(b, (m,))
        if m <= T.int64(8):
            Module.small(a, b)
        else:
            Module.small(a, b)
