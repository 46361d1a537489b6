# RUN: b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); parallel(l1); l3 = fuse(l1, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        # with T.sblock("root"):
        for i_j_fused in range(n * T.int64(64)):
            with T.sblock("C"):
                vi = T.axis.spatial(n, i_j_fused // T.int64(64))
                vj = T.axis.spatial(64, T.Cast("int32", i_j_fused % T.int64(64)))
                T.reads(X[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = X[vi, vj] + T.float32(1.0)
