# One program with two outputs.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def split(x: T.handle, y: T.handle, z: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(4)))
        Z = T.match_buffer(z, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj]
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                Z[vi, vj] = X[vi, vj + T.int64(4)]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def split(x: T.handle, y: T.handle, z: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(4)))
        Z = T.match_buffer(z, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj]
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj + T.int64(4)])
                T.writes(Z[vi, vj])
                Z[vi, vj] = X[vi, vj + T.int64(4)]
