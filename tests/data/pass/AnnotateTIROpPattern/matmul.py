# Multiply and add, with casts or without; a reduction that is not of one input alone.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mm(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        Bm = T.match_buffer(b, (T.int64(8), T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * Bm[vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def mm_cast(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)), "float16")
        Bm = T.match_buffer(b, (T.int64(8), T.int64(4)), "float16")
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", Bm[vk, vj])

    @T.prim_func(private=True, s_tir=True)
    def mm_of_exp(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        Bm = T.match_buffer(b, (T.int64(8), T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + T.exp(A[vi, vk]) * Bm[vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def square_sum(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n,))
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk] * A[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def mm_max(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        Bm = T.match_buffer(b, (T.int64(8), T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = T.max(C[vi, vj], A[vi, vk] * Bm[vk, vj])

    @T.prim_func(private=True, s_tir=True)
    def pool(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j, k in T.grid(n, T.int64(4), T.int64(2)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = T.max(C[vi, vj], A[vi, vj * T.int64(2) + vk])
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mm(a: T.handle, Bm: T.Buffer((T.int64(8), T.int64(4)), "float32"), c: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], Bm[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * Bm[vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def mm_cast(a: T.handle, Bm: T.Buffer((T.int64(8), T.int64(4)), "float16"), c: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)), "float16")
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], Bm[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", Bm[vk, vj])

    @T.prim_func(private=True, s_tir=True)
    def mm_max(a: T.handle, Bm: T.Buffer((T.int64(8), T.int64(4)), "float32"), c: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], Bm[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = T.max(C[vi, vj], A[vi, vk] * Bm[vk, vj])

    @T.prim_func(private=True, s_tir=True)
    def mm_of_exp(a: T.handle, Bm: T.Buffer((T.int64(8), T.int64(4)), "float32"), c: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(4), T.int64(8)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], Bm[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + T.exp(A[vi, vk]) * Bm[vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def pool(a: T.handle, c: T.handle):
        T.func_attr({"op_pattern": 4})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n, T.int64(4)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(4), T.int64(2)):
            with T.sblock("b"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vj * T.int64(2) + vk])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = T.max(C[vi, vj], A[vi, vj * T.int64(2) + vk])

    @T.prim_func(private=True, s_tir=True)
    def square_sum(a: T.handle, c: T.handle):
        T.func_attr({"op_pattern": 3})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(8)))
        C = T.match_buffer(c, (n,))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(8)):
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(C[vi])
                with T.init():
                    C[vi] = T.float32(0.0)
                C[vi] = C[vi] + A[vi, vk] * A[vi, vk]
