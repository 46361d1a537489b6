# A kind that stands there already is kept.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 8})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.exp(X[vi, vj])
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 8})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = T.exp(X[vi, vj])
