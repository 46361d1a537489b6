# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 4]); b4 = decompose_reduction(b0, l2); l5 = loop(b0, 0); parallel(l5)' %s
# Both loops of a split reduction; the guard is on the steps alone.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n,))
        for i, k in T.grid(n, m):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 4])
# b4 = decompose_reduction(b0, l2)
# l5 = loop(b4, 0)
# parallel(l5)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in T.parallel(n):
            with T.sblock("B_init"):
                vi = T.axis.spatial(n, i)
                B[vi] = T.float32(0.0)
            for k_0, k_1 in T.grid((m + T.int64(3)) // T.int64(4), T.int64(4)):
                with T.sblock("B"):
                    vi = T.axis.spatial(n, i)
                    vk = T.axis.reduce(m, k_0 * T.int64(4) + k_1)
                    T.where(k_0 * T.int64(4) + k_1 < m)
                    B[vi] = B[vi] + A[vi, vk]
