# The output at an index depends on inputs at that index alone.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.exp(X[vi, vj])

    @T.prim_func(private=True, s_tir=True)
    def add(x: T.handle, z: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        Z = T.match_buffer(z, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] + Z[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def fill(y: T.handle):
        n = T.int64()
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def chain(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        W = T.sblock_alloc_buffer((n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                W[vi, vj] = T.exp(X[vi, vj])
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.exp(W[vi, vj])
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(x: T.handle, z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Z = T.match_buffer(z, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], Z[vi, vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj] + Z[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def chain(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        W = T.sblock_alloc_buffer((n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(W[vi, vj])
                W[vi, vj] = T.exp(X[vi, vj])
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(W[vi, vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = T.exp(W[vi, vj])

    @T.prim_func(private=True, s_tir=True)
    def exp(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 0})
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

    @T.prim_func(private=True, s_tir=True)
    def fill(y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads()
                T.writes(Y[vi, vj])
                Y[vi, vj] = T.float32(1.0)
