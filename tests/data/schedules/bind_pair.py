# RUN: b0 = block("B"); b1 = block("C"); compute_inline(b0); l2 = loop(b1, 0); bind(l2, "blockIdx.x"); l3 = loop(b1, 1); bind(l3, "threadIdx.x")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        # with T.sblock("root"):
        for i in T.thread_binding(8, thread="blockIdx.x"):
            for j in T.thread_binding(16, thread="threadIdx.x"):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(A[vi, vj])
                    T.writes(C[vi, vj])
                    C[vi, vj] = A[vi, vj] * T.float32(2.0) + T.float32(1.0)
