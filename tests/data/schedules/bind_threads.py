# RUN: b0 = block("C"); compute_inline(b0); b1 = block("B"); l2 = loop(b1, 0); bind(l2, "blockIdx.x"); l3 = loop(b1, 1); bind(l3, "threadIdx.x"); annotate(b1, "note", "kept")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        # with T.sblock("root"):
        for i in T.thread_binding(32, thread="blockIdx.x"):
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(A[vi, vj])
                    T.writes(B[vi, vj])
                    T.sblock_attr({"note": "kept"})
                    B[vi, vj] = A[vi, vj] + T.float32(1.0)
