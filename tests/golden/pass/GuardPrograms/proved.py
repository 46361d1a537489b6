# What is proved gets no assertion: fused loops taken apart, a guard, a clamped index from memory.
# RUN: relax opt --pass GuardPrograms %s | grep -c assert; true
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle, var_i: T.handle):
        n = T.int64()
        m = T.int64()
        A = T.match_buffer(var_a, (n, m))
        B = T.match_buffer(var_b, (n, m))
        I = T.match_buffer(var_i, (n,), "int64")
        for f in range(n * m):
            with T.sblock("fused"):
                vi = T.axis.spatial(n, f // m)
                vj = T.axis.spatial(m, f % m)
                B[vi, vj] = A[vi, vj]
        for f_0, f_1 in T.grid((n * m + T.int64(7)) // T.int64(8), T.int64(8)):
            with T.sblock("split"):
                vi = T.axis.spatial(n, (f_0 * T.int64(8) + f_1) // m)
                vj = T.axis.spatial(m, (f_0 * T.int64(8) + f_1) % m)
                T.where(f_0 * T.int64(8) + f_1 < n * m)
                B[vi, vj] = A[vi, vj]
        for i, j in T.grid(n, m):
            with T.sblock("gather"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[T.min(T.max(I[vi], T.int64(0)), n - T.int64(1)), vj]
        for i in range(n):
            if I[i] >= T.int64(0) and I[i] < m:
                B[i, I[i]] = T.float32(0)

    @T.prim_func(private=True, s_tir=True)
    def narrow(var_a: T.handle, var_b: T.handle):
        n, m = T.int32(), T.int32()
        A = T.match_buffer(var_a, (n, m))
        B = T.match_buffer(var_b, (n, m))
        for f in range(n * m):
            B[f // m, f % m] = A[f // m, f % m]
# WANT:
0
