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
