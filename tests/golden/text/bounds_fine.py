# What stays inside: by a guard, by a choice, in loops that never run, in the last part of a split loop.
# RUN: relax check %s
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        for i in range(n):
            if i + T.int64(1) < n:
                B[i] = A[i + T.int64(1)]
        for i in range(n):
            B[i] = T.if_then_else(i < n - T.int64(1), A[i + T.int64(1)], A[n - T.int64(1) - i])
        for i in range(T.int64(0)):
            B[i + n] = A[i // T.int64(1)]
        for i, j in T.grid((n + T.int64(15)) // T.int64(16), T.int64(16)):
            with T.sblock("tail"):
                vi = T.axis.spatial(n, i * T.int64(16) + j)
                T.where(i * T.int64(16) + j < n)
                B[vi] = A[n - T.int64(1) - vi]
        for i in range(n):
            for j in range(n - i):
                B[i + j] = A[i]
        for i in range(n * n):
            with T.sblock("fused"):
                vi = T.axis.spatial(n, i // n)
                vj = T.axis.spatial(n, i % n)
                B[vi] = A[vj]
# WANT:
