# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); l4 = loop(b0, 2); l5, l6 = split(l4, factors=[None, 8]); reorder(l2, l5, l3, l6); tensorize(l3, "transpose")' %s
# Squares of 8 x 8: read along one side, written along the other; the guard stays inside.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (64, n))
        for i, j in T.grid(64, n):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vj, vi] * T.float32(2)
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# l4 = loop(b0, 2)
# l5, l6 = split(l4, factors=[None, 8])
# reorder(l2, l5, l3, l6)
# tensorize(l3, "transpose")
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (64, n))
        # with T.sblock("root"):
        for i_0, j_0 in T.grid(8, (n + T.int64(7)) // T.int64(8)):
            for i_1 in T.unroll(8, annotations={"transposed": 1}):
                for j_1 in T.vectorized(T.int64(8)):
                    with T.sblock("C"):
                        vi = T.axis.spatial(64, i_0 * 8 + i_1)
                        vj = T.axis.spatial(n, j_0 * T.int64(8) + j_1)
                        T.where(j_0 * T.int64(8) + j_1 < n)
                        C[vi, vj] = X[vj, vi] * T.float32(2.0)
