# RUN: b0 = block("B"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 16]); vectorize(l3); parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i_0 in T.parallel((n + T.int64(15)) // T.int64(16)):
            for i_1 in T.vectorized(T.int64(16)):
                with T.sblock("B"):
                    vi = T.axis.spatial(n, i_0 * T.int64(16) + i_1)
                    T.where(i_0 * T.int64(16) + i_1 < n)
                    T.reads(A[vi])
                    T.writes(B[vi])
                    B[vi] = A[vi] * T.float32(2.0)
