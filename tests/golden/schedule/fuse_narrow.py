# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2)' %s
# Two 32-bit loops whose product may not fit count in 64 bits.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int32()
        m = T.int32()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n, m))
        for i, j in T.grid(n, m):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 0)
# l2 = loop(b0, 1)
# l3 = fuse(l1, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int32()
        m = T.int32()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n, m))
        # with T.sblock("root"):
        for i_j_fused in range(T.Cast("int64", n) * T.Cast("int64", m)):
            with T.sblock("B"):
                vi = T.axis.spatial(n, T.Cast("int32", i_j_fused // T.Cast("int64", m)))
                vj = T.axis.spatial(m, T.Cast("int32", i_j_fused % T.Cast("int64", m)))
                B[vi, vj] = A[vi, vj] + T.float32(1.0)
