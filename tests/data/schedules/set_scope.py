# RUN: b0 = block("A"); set_scope(b0, 0, "shared")
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
        A_shared = T.sblock_alloc_buffer((n, 64), scope="shared")
        for i, j in T.grid(n, 64):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(A_shared[vi, vj])
                A_shared[vi, vj] = X[vi, vj] * T.float32(2.0)
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A_shared[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A_shared[vi, vj] + T.float32(1.0)
