# RUN: b0 = block("B"); l1 = loop(b0, 0); parallel(l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32,), "float32"), B: T.Buffer((16,), "float32")):
        # with T.sblock("root"):
        for i in T.parallel(32):
            with T.sblock("B"):
                vi = T.axis.spatial(32, i)
                T.reads(A[vi])
                T.writes(B[vi // 2])
                B[vi // 2] = A[vi]
