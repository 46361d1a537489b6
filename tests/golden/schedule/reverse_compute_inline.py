# RUN: relax schedule --check --do 'b0 = block("A"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 4]); b4 = block("B"); reverse_compute_inline(b4)' %s
# The producer's loops stay as they are scheduled; the consumer writes the transposed element there.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.Buffer((8,), "float32"), b: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 8))
        B = T.match_buffer(b, (8, n))
        A = T.sblock_alloc_buffer((n, 8))
        for i, j in T.grid(n, 8):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2)
        for j, i in T.grid(8, n):
            with T.sblock("B"):
                vj, vi = T.axis.remap("SS", [j, i])
                B[vj, vi] = A[vi, vj] + y[vj]
# WANT:
# main: trace
# b0 = block("A")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 4])
# b4 = block("B")
# reverse_compute_inline(b4)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.Buffer((8,), "float32"), b: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 8))
        B = T.match_buffer(b, (8, n))
        # with T.sblock("root"):
        for i_0, i_1, j in T.grid((n + T.int64(3)) // T.int64(4), T.int64(4), 8):
            with T.sblock("A"):
                vi = T.axis.spatial(n, i_0 * T.int64(4) + i_1)
                vj = T.axis.spatial(8, j)
                T.where(i_0 * T.int64(4) + i_1 < n)
                B[vj, vi] = X[vi, vj] * T.float32(2.0) + y[vj]
