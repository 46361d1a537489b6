# RUN: b0 = block("A"); l1 = loop(b0, 0); b2 = block("C"); l3 = loop(b2, 0); l4 = merge(l1, l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((32,), "float32"), A: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32")):
        # with T.sblock("root"):
        B = T.sblock_alloc_buffer((1,))
        with T.sblock("B"):
            T.reads(A[31])
            T.writes(B[0])
            B[0] = A[31] * T.float32(2.0)
        for i_m in range(32):
            with T.sblock("A"):
                vi = T.axis.spatial(32, i_m)
                T.reads(X[vi])
                T.writes(A[vi])
                A[vi] = X[vi] + T.float32(1.0)
            with T.sblock("C"):
                vj = T.axis.spatial(32, i_m)
                T.reads(A[vj], B[0])
                T.writes(C[vj])
                C[vj] = A[vj] + B[0]
