# Indices that are read from another tensor.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def take(w: T.handle, z: T.handle, y: T.handle):
        n = T.int64()
        m = T.int64()
        W = T.match_buffer(w, (m, T.int64(8)))
        Z = T.match_buffer(z, (n,), "int64")
        Y = T.match_buffer(y, (n, T.int64(8)))
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = W[Z[vi], vj]

    @T.prim_func(private=True, s_tir=True)
    def take_one(W: T.Buffer((T.int64(4), T.int64(8)), "float32"), Z: T.Buffer((), "int64"), Y: T.Buffer((T.int64(8),), "float32")):
        for j in range(T.int64(8)):
            with T.sblock("b"):
                vj = T.axis.spatial(T.int64(8), j)
                Y[vj] = W[Z[()], vj]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def take(w: T.handle, z: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 8})
        m = T.int64()
        W = T.match_buffer(w, (m, T.int64(8)))
        n = T.int64()
        Z = T.match_buffer(z, (n,), "int64")
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(W[Z[vi], vj], Z[vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = W[Z[vi], vj]

    @T.prim_func(private=True, s_tir=True)
    def take_one(W: T.Buffer((T.int64(4), T.int64(8)), "float32"), Z: T.Buffer((), "int64"), Y: T.Buffer((T.int64(8),), "float32")):
        T.func_attr({"op_pattern": 8})
        # with T.sblock("root"):
        for j in range(T.int64(8)):
            with T.sblock("b"):
                vj = T.axis.spatial(T.int64(8), j)
                T.reads(W[Z[()], vj], Z[()])
                T.writes(Y[vj])
                Y[vj] = W[Z[()], vj]
