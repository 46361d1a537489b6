# Each output index gives the input index: transpose, slice, reshape, repeat, concatenate, reverse.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def transpose(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (T.int64(8), n))
        for i, j in T.grid(T.int64(8), n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vj, vi]

    @T.prim_func(private=True, s_tir=True)
    def slice(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj * T.int64(2)]

    @T.prim_func(private=True, s_tir=True)
    def flatten(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n * T.int64(8),))
        for i in range(n * T.int64(8)):
            with T.sblock("b"):
                vi = T.axis.spatial(n * T.int64(8), i)
                Y[vi] = X[vi // T.int64(8), vi % T.int64(8)]

    @T.prim_func(private=True, s_tir=True)
    def diagonal(X: T.Buffer((T.int64(8), T.int64(8)), "float32"), Y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(8), i)
                Y[vi] = X[vi, vi]

    @T.prim_func(private=True, s_tir=True)
    def reverse(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[n - T.int64(1) - vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def concatenate(x: T.handle, z: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(12)))
        Z = T.match_buffer(z, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(12)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.if_then_else(vj < T.int64(8), X[vi, vj], Z[vi, vj - T.int64(8)])

    @T.prim_func(private=True, s_tir=True)
    def mixed(x: T.handle, z: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        Z = T.match_buffer(z, (T.int64(8), n))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] + Z[vj, vi]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def concatenate(x: T.handle, z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Z = T.match_buffer(z, (n, T.int64(4)))
        Y = T.match_buffer(y, (n, T.int64(12)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(12)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], Z[vi, vj - T.int64(8)])
                T.writes(Y[vi, vj])
                Y[vi, vj] = T.if_then_else(vj < T.int64(8), X[vi, vj], Z[vi, vj - T.int64(8)])

    @T.prim_func(private=True, s_tir=True)
    def diagonal(X: T.Buffer((T.int64(8), T.int64(8)), "float32"), Y: T.Buffer((T.int64(8),), "float32")):
        T.func_attr({"op_pattern": 1})
        # with T.sblock("root"):
        for i in range(T.int64(8)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(8), i)
                T.reads(X[vi, vi])
                T.writes(Y[vi])
                Y[vi] = X[vi, vi]

    @T.prim_func(private=True, s_tir=True)
    def flatten(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n * T.int64(8),))
        # with T.sblock("root"):
        for i in range(n * T.int64(8)):
            with T.sblock("b"):
                vi = T.axis.spatial(n * T.int64(8), i)
                T.reads(X[vi // T.int64(8), vi % T.int64(8)])
                T.writes(Y[vi])
                Y[vi] = X[vi // T.int64(8), vi % T.int64(8)]

    @T.prim_func(private=True, s_tir=True)
    def mixed(x: T.handle, z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Z = T.match_buffer(z, (T.int64(8), n))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], Z[vj, vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj] + Z[vj, vi]

    @T.prim_func(private=True, s_tir=True)
    def reverse(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 8})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[n - T.int64(1) - vi, vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[n - T.int64(1) - vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def slice(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj * T.int64(2)])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj * T.int64(2)]

    @T.prim_func(private=True, s_tir=True)
    def transpose(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (T.int64(8), n))
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(8), n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vj, vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vj, vi]
