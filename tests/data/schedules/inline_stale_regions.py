# RUN: b0 = block("C"); compute_inline(b0)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        with T.sblock("root"):
            T.reads(A[0:32, 0:32])
            T.writes(B[0:32, 0:32])
            for i, j in T.grid(32, 32):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(A[vi, vj])
                    T.writes(B[vi, vj])
                    T.sblock_attr({"kept": 1})
                    B[vi, vj] = A[vi, vj] + T.float32(1.0)
