# RUN: b0 = block("A"); b1 = block("C"); l2 = loop(b1, 0); compute_at(b0, l2)
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
        A = T.sblock_alloc_buffer((n, 64))
        for i in range(n):
            for ax0 in range(64):
                with T.sblock("A"):
                    vi, vj = T.axis.remap("SS", [i, ax0])
                    T.reads(X[vi, vj])
                    T.writes(A[vi, vj])
                    A[vi, vj] = X[vi, vj] * T.float32(2.0)
            for j in range(64):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(A[vi, vj])
                    T.writes(C[vi, vj])
                    C[vi, vj] = A[vi, vj] + T.float32(1.0)
