# RUN: b0 = block("A"); storage_align(b0, 0, 0, 32, 1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
        # with T.sblock("root"):
        A = T.sblock_alloc_buffer((8,))
        for i in range(8):
            with T.sblock("A"):
                vi = T.axis.spatial(8, i)
                T.reads(X[vi])
                T.writes(A[vi])
                T.sblock_attr({"buffer_dim_align": [[0, 0, 32, 1]]})
                A[vi] = X[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("Y"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi])
                T.writes(Y[vi])
                Y[vi] = A[vi] + T.float32(1.0)
