# A sum over indices that the output does not have.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sum(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + X[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def max_keepdims(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(1)))
        for i, z, k in T.grid(n, T.int64(1), T.int64(8)):
            with T.sblock("b"):
                vi, vz, vk = T.axis.remap("SSR", [i, z, k])
                with T.init():
                    Y[vi, vz] = T.float32(-1)
                Y[vi, vz] = T.max(Y[vi, vz], X[vi, vk])

    @T.prim_func(private=True, s_tir=True)
    def mean(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        W = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    W[vi] = T.float32(0)
                W[vi] = W[vi] + X[vi, vk]
        for i in range(n):
            with T.sblock("b2"):
                vi = T.axis.spatial(n, i)
                Y[vi] = W[vi] * T.float32(0.125)

    @T.prim_func(private=True, s_tir=True)
    def sum_of_exp(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + T.exp(X[vi, vk])

    @T.prim_func(private=True, s_tir=True)
    def sum_all(x: T.handle, Y: T.Buffer((), "float32")):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("RR", [i, k])
                with T.init():
                    Y[()] = T.float32(0)
                Y[()] = Y[()] + X[vi, vk]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def max_keepdims(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(1)))
        # with T.sblock("root"):
        for i, z, k in T.grid(n, T.int64(1), T.int64(8)):
            with T.sblock("b"):
                vi, vz, vk = T.axis.remap("SSR", [i, z, k])
                T.reads(X[vi, vk])
                T.writes(Y[vi, vz])
                with T.init():
                    Y[vi, vz] = T.float32(-1.0)
                Y[vi, vz] = T.max(Y[vi, vz], X[vi, vk])

    @T.prim_func(private=True, s_tir=True)
    def mean(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        W = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(W[vi])
                with T.init():
                    W[vi] = T.float32(0.0)
                W[vi] = W[vi] + X[vi, vk]
        for i in range(n):
            with T.sblock("b2"):
                vi = T.axis.spatial(n, i)
                T.reads(W[vi])
                T.writes(Y[vi])
                Y[vi] = W[vi] * T.float32(0.125)

    @T.prim_func(private=True, s_tir=True)
    def sum(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(Y[vi])
                with T.init():
                    Y[vi] = T.float32(0.0)
                Y[vi] = Y[vi] + X[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def sum_all(x: T.handle, Y: T.Buffer((), "float32")):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("RR", [i, k])
                T.reads(X[vi, vk])
                T.writes(Y[()])
                with T.init():
                    Y[()] = T.float32(0.0)
                Y[()] = Y[()] + X[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def sum_of_exp(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(Y[vi])
                with T.init():
                    Y[vi] = T.float32(0.0)
                Y[vi] = Y[vi] + T.exp(X[vi, vk])
