# RUN: relax schedule --check --do 'b0 = block("Y"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); vectorize(l3); parallel(l2)' %s
# A scan down columns keeps a number of its own, which becomes one for each lane; the last vector is guarded.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        m = T.int64()
        X = T.match_buffer(x, (5, m))
        Y = T.match_buffer(y, (5, m))
        for j in range(m):
            with T.sblock("Y"):
                vj = T.axis.spatial(m, j)
                acc = T.sblock_alloc_buffer((), scope="local")
                acc[()] = T.float32(0)
                for i in range(5):
                    acc[()] = acc[()] + X[i, vj]
                    Y[i, vj] = acc[()]
# WANT:
# main: trace
# b0 = block("Y")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# vectorize(l3)
# parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        m = T.int64()
        X = T.match_buffer(x, (5, m))
        Y = T.match_buffer(y, (5, m))
        # with T.sblock("root"):
        for j_0 in T.parallel((m + T.int64(7)) // T.int64(8)):
            with T.sblock("acc_local"):
                v_j_0 = T.axis.spatial((m + T.int64(7)) // T.int64(8), j_0)
                acc = T.sblock_alloc_buffer((T.int64(8),), scope="local")
                for j_1 in T.vectorized(T.int64(8)):
                    with T.sblock("Y"):
                        vj = T.axis.spatial(m, v_j_0 * T.int64(8) + j_1)
                        v_lane = T.axis.spatial(T.int64(8), j_1)
                        T.where(v_j_0 * T.int64(8) + j_1 < m)
                        acc[v_lane] = T.float32(0.0)
                        for i in range(5):
                            acc[v_lane] = acc[v_lane] + X[i, vj]
                            Y[i, vj] = acc[v_lane]
