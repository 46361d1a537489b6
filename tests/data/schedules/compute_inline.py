# RUN: b0 = block("A"); compute_inline(b0)
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
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = X[vi, vj] * T.float32(2.0) + T.float32(1.0)
