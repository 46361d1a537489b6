# RUN: b0 = block("A"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 4]); b4 = block("B"); reverse_compute_inline(b4)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

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
                T.reads(X[vi, vj], y[vj])
                T.writes(B[vj, vi])
                B[vj, vi] = X[vi, vj] * T.float32(2.0) + y[vj]
