# A read uses some of the output's indices, in order; dims of 1 read at 0 count as left out.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def row(x: T.handle, z: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        Z = T.match_buffer(z, (T.int64(8),))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] + Z[vj]

    @T.prim_func(private=True, s_tir=True)
    def only_row(z: T.handle, y: T.handle):
        n = T.int64()
        Z = T.match_buffer(z, (T.int64(8),))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = Z[vj]

    @T.prim_func(private=True, s_tir=True)
    def column(z: T.handle, y: T.handle):
        n = T.int64()
        Z = T.match_buffer(z, (n, T.int64(1)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = Z[vi, T.int64(0)] * Z[vi, T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def scalar(Z: T.Buffer((), "float32"), y: T.handle):
        n = T.int64()
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = Z[()]

    @T.prim_func(private=True, s_tir=True)
    def zero_of_many(z: T.handle, y: T.handle):
        n = T.int64()
        Z = T.match_buffer(z, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = Z[T.int64(0), vj]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def column(z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 1})
        n = T.int64()
        Z = T.match_buffer(z, (n, T.int64(1)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Z[vi, T.int64(0)])
                T.writes(Y[vi, vj])
                Y[vi, vj] = Z[vi, T.int64(0)] * Z[vi, T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def only_row(Z: T.Buffer((T.int64(8),), "float32"), y: T.handle):
        T.func_attr({"op_pattern": 1})
        n = T.int64()
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Z[vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = Z[vj]

    @T.prim_func(private=True, s_tir=True)
    def row(x: T.handle, Z: T.Buffer((T.int64(8),), "float32"), y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], Z[vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj] + Z[vj]

    @T.prim_func(private=True, s_tir=True)
    def scalar(Z: T.Buffer((), "float32"), y: T.handle):
        T.func_attr({"op_pattern": 1})
        n = T.int64()
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Z[()])
                T.writes(Y[vi, vj])
                Y[vi, vj] = Z[()]

    @T.prim_func(private=True, s_tir=True)
    def zero_of_many(z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 2})
        n = T.int64()
        Z = T.match_buffer(z, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(Z[T.int64(0), vj])
                T.writes(Y[vi, vj])
                Y[vi, vj] = Z[T.int64(0), vj]
