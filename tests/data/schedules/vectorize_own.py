# RUN: b0 = block("Y"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); vectorize(l3); parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        m = T.int64()
        X = T.match_buffer(x, (5, m))
        Y = T.match_buffer(y, (5, m))
        # with T.sblock("root"):
        for j_0 in T.parallel((m + T.int64(7)) // T.int64(8)):
            for j_1 in T.vectorized(T.int64(8)):
                with T.sblock("Y"):
                    vj = T.axis.spatial(m, j_0 * T.int64(8) + j_1)
                    T.where(j_0 * T.int64(8) + j_1 < m)
                    T.reads(X[0:5, vj])
                    T.writes(Y[0:5, vj])
                    acc = T.sblock_alloc_buffer((), scope="local")
                    acc[()] = T.float32(0.0)
                    for i in range(5):
                        acc[()] = acc[()] + X[i, vj]
                        Y[i, vj] = acc[()]
