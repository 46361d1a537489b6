# RUN: relax schedule --check --do 'b0 = block("T"); pad(b0, 0, 8); l0 = loop(b0, 0); l1, l2 = split(l0, factors=[None, 8]); l3, l4 = split(l2, factors=[None, 2]); b1 = block("C"); reverse_compute_at(b1, l1); compact(l1); shorten(l3)' %s
# What a tile computes beyond the last row, so that it is whole, is not computed.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        C = T.match_buffer(c, (n, 4))
        with T.sblock("root"):
            B = T.sblock_alloc_buffer((n, 4))
            for i, j in T.grid(n, 4):
                with T.sblock("T"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] * T.float32(2)
            for i, j in T.grid(n, 4):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = B[vi, vj] + T.float32(1)
# WANT:
# main: trace
# b0 = block("T")
# pad(b0, 0, 8)
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# l4, l5 = split(l3, factors=[None, 2])
# b6 = block("C")
# reverse_compute_at(b6, l2)
# compact(l2)
# shorten(l4)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        C = T.match_buffer(c, (n, 4))
        # with T.sblock("root"):
        for i_0 in range((n + T.int64(7)) // T.int64(8)):
            with T.sblock("B_local"):
                v_i_0 = T.axis.spatial((n + T.int64(7)) // T.int64(8), i_0)
                B = T.sblock_alloc_buffer((T.int64(8), 4))
                for i_1_0, i_1_1, j in T.grid(T.min(T.int64(4), T.max((n - v_i_0 * T.int64(8) + T.int64(1)) // T.int64(2), T.int64(0))), T.int64(2), 4):
                    with T.sblock("T"):
                        vi = T.axis.spatial((n + T.int64(7)) // T.int64(8) * T.int64(8), v_i_0 * T.int64(8) + (i_1_0 * T.int64(2) + i_1_1))
                        vj = T.axis.spatial(4, j)
                        B[vi - v_i_0 * T.int64(8), vj] = A[T.min(vi, n - T.int64(1)), vj] * T.float32(2.0)
                for ax0, ax1 in T.grid(T.int64(8), 4):
                    with T.sblock("C"):
                        vi = T.axis.spatial(n, v_i_0 * T.int64(8) + ax0)
                        vj = T.axis.spatial(4, ax1)
                        T.where(v_i_0 * T.int64(8) + ax0 < n)
                        C[vi, vj] = B[vi - v_i_0 * T.int64(8), vj] + T.float32(1.0)
