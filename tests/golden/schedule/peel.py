# RUN: relax schedule --check --do 'b0 = block("Y"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); b4 = peel(l2, b0); vectorize(l3)' %s
# Whole tiles run without the guard, the last one in a copy with it.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = X[vi] * T.float32(2)
# WANT:
# main: trace
# b0 = block("Y")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# b4 = peel(l2, b0)
# vectorize(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i_0 in range((n + T.int64(7)) // T.int64(8)):
            if i_0 * T.int64(8) + T.int64(7) < n:
                for i_1 in T.vectorized(T.int64(8)):
                    with T.sblock("Y"):
                        vi = T.axis.spatial(n, i_0 * T.int64(8) + i_1)
                        Y[vi] = X[vi] * T.float32(2.0)
            else:
                for i_1 in range(T.int64(8)):
                    with T.sblock("Y_tail"):
                        vi = T.axis.spatial(n, i_0 * T.int64(8) + i_1)
                        T.where(i_0 * T.int64(8) + i_1 < n)
                        Y[vi] = X[vi] * T.float32(2.0)
