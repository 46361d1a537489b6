# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); parallel(l1); parallel(l2); l3 = fuse(l1, l2)' %s
# Two parallel loops become a parallel one.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        C = T.match_buffer(c, (n, m))
        for i, j in T.grid(n, m):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vi, vj] + T.float32(1)
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 0)
# parallel(l1)
# l2 = loop(b0, 1)
# parallel(l2)
# l3 = fuse(l1, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        C = T.match_buffer(c, (n, m))
        # with T.sblock("root"):
        for i_j_fused in T.parallel(n * m):
            with T.sblock("C"):
                vi = T.axis.spatial(n, i_j_fused // m)
                vj = T.axis.spatial(m, i_j_fused % m)
                C[vi, vj] = X[vi, vj] + T.float32(1.0)
