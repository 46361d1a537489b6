# RUN: b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); reorder(l2, l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        # with T.sblock("root"):
        for j, i in T.grid(31, 31):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj + 1], A[vi, vj])
                T.writes(B[vi + 1, vj])
                B[vi + 1, vj] = B[vi, vj + 1] + A[vi, vj]
