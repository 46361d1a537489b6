# Programs with scalar parameters and with indices that are computed from them.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def arange(y: T.handle, m: T.int64):
        n = T.int64()
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                Y[vi] = T.Cast("float32", vi * m)

    @T.prim_func(private=True, s_tir=True)
    def shift(x: T.handle, y: T.handle, m: T.int64):
        n = T.int64()
        X = T.match_buffer(x, (n + m,))
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                Y[vi] = X[vi + m]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def arange(y: T.handle, m: T.int64):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads()
                T.writes(Y[vi])
                Y[vi] = T.Cast("float32", vi * m)

    @T.prim_func(private=True, s_tir=True)
    def shift(x: T.handle, y: T.handle, m: T.int64):
        T.func_attr({"op_pattern": 8})
        n = T.int64()
        X = T.match_buffer(x, (n + m,))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(X[vi + m])
                T.writes(Y[vi])
                Y[vi] = X[vi + m]
