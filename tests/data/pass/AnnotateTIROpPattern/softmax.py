# Reductions, then a block that writes the output from them.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def softmax(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        M = T.sblock_alloc_buffer((n,))
        E = T.sblock_alloc_buffer((n, T.int64(8)))
        S = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(-1)
                M[vi] = T.max(M[vi], X[vi, vk])
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = T.exp(X[vi, vj] - M[vi])
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b3"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + E[vi, vk]
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b4"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = E[vi, vj] / S[vi]

    @T.prim_func(private=True, s_tir=True)
    def norm(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        M = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(0)
                M[vi] = M[vi] + X[vi, vk] * X[vi, vk]
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * T.rsqrt(M[vi])

    @T.prim_func(private=True, s_tir=True)
    def matmul_then_relu(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        Bm = T.match_buffer(b, (T.int64(8), T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(4)))
        W = T.sblock_alloc_buffer((n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    W[vi, vj] = T.float32(0)
                W[vi, vj] = W[vi, vj] + A[vi, vk] * Bm[vk, vj]
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.max(W[vi, vj], T.float32(0))

    @T.prim_func(private=True, s_tir=True)
    def transpose_then_sum(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (T.int64(8),))
        W = T.sblock_alloc_buffer((T.int64(8), n))
        for i, j in T.grid(T.int64(8), n):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                W[vi, vj] = X[vj, vi]
        for i, k in T.grid(T.int64(8), n):
            with T.sblock("b2"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + W[vi, vk]
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def matmul_then_relu(a: T.handle, Bm: T.Buffer((T.int64(8), T.int64(4)), "float32"), c: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        W = T.sblock_alloc_buffer((n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], Bm[vk, vj])
                T.writes(W[vi, vj])
                with T.init():
                    W[vi, vj] = T.float32(0.0)
                W[vi, vj] = W[vi, vj] + A[vi, vk] * Bm[vk, vj]
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(W[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = T.max(W[vi, vj], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def norm(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        M = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(M[vi])
                with T.init():
                    M[vi] = T.float32(0.0)
                M[vi] = M[vi] + X[vi, vk] * X[vi, vk]
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], M[vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj] * T.rsqrt(M[vi])

    @T.prim_func(private=True, s_tir=True)
    def softmax(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(8)))
        # with T.sblock("root"):
        M = T.sblock_alloc_buffer((n,))
        E = T.sblock_alloc_buffer((n, T.int64(8)))
        S = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b1"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(M[vi])
                with T.init():
                    M[vi] = T.float32(-1.0)
                M[vi] = T.max(M[vi], X[vi, vk])
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], M[vi])
                T.writes(E[vi, vj])
                E[vi, vj] = T.exp(X[vi, vj] - M[vi])
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b3"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(E[vi, vk])
                T.writes(S[vi])
                with T.init():
                    S[vi] = T.float32(0.0)
                S[vi] = S[vi] + E[vi, vk]
        for i, j in T.grid(n, T.int64(8)):
            with T.sblock("b4"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(E[vi, vj], S[vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = E[vi, vj] / S[vi]

    @T.prim_func(private=True, s_tir=True)
    def transpose_then_sum(x: T.handle, Y: T.Buffer((T.int64(8),), "float32")):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        # with T.sblock("root"):
        W = T.sblock_alloc_buffer((T.int64(8), n))
        for i, j in T.grid(T.int64(8), n):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vj, vi])
                T.writes(W[vi, vj])
                W[vi, vj] = X[vj, vi]
        for i, k in T.grid(T.int64(8), n):
            with T.sblock("b2"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(W[vi, vk])
                T.writes(Y[vi])
                with T.init():
                    Y[vi] = T.float32(0.0)
                Y[vi] = Y[vi] + W[vi, vk]
