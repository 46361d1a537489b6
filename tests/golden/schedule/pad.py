# RUN: relax schedule --check --do 'b0 = block("C"); pad(b0, 0, 8); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); unroll(l3)' %s
# Rows of an intermediate run on to a multiple of 8, so that no tile is a part.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, y: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        Y = T.match_buffer(y, (n,))
        C = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, 4):
            with T.sblock("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]
        for i in range(n):
            with T.sblock("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = C[vi] * T.float32(2)
# WANT:
# main: trace
# b0 = block("C")
# pad(b0, 0, 8)
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# unroll(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, y: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer(((n + T.int64(7)) // T.int64(8) * T.int64(8),))
        for i_0 in range((n + T.int64(7)) // T.int64(8)):
            for i_1 in T.unroll(T.int64(8)):
                for k in range(4):
                    with T.sblock("C"):
                        vi = T.axis.spatial((n + T.int64(7)) // T.int64(8) * T.int64(8), i_0 * T.int64(8) + i_1)
                        vk = T.axis.reduce(4, k)
                        with T.init():
                            C[vi] = T.float32(0.0)
                        C[vi] = C[vi] + A[T.min(vi, n - T.int64(1)), vk]
        for i in range(n):
            with T.sblock("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = C[vi] * T.float32(2.0)
