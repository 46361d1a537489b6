# RUN: b0 = block("A"); storage_align(b0, 0, 0, 32, 1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, b: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 40))
        B = T.match_buffer(b, (40, n))
        # with T.sblock("root"):
        A = T.sblock_alloc_buffer((n, 40))
        for i, j in T.grid(n, 40):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(A[vi, vj])
                T.sblock_attr({"buffer_dim_align": [[0, 0, 32, 1]]})
                A[vi, vj] = X[vi, vj] * T.float32(2.0)
        for j, i in T.grid(40, n):
            with T.sblock("B"):
                vj, vi = T.axis.remap("SS", [j, i])
                T.reads(A[vi, T.min(vj, 0):T.min(vj, 0) + (T.max(vj, 0) + 1 - T.min(vj, 0))])
                T.writes(B[vj, vi])
                B[vj, vi] = A[vi, vj] + A[vi, 0]
