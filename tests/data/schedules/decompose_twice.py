# RUN: b0 = block("B"); l1 = loop(b0, 0); b2 = decompose_reduction(b0, l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((1,), "float32"), D: T.Buffer((4,), "float32")):
        # with T.sblock("root"):
        with T.sblock("B_init"):
            v0 = T.axis.spatial(1, 0)
            T.reads()
            T.writes(B[v0])
            B[v0] = T.float32(0.0)
        for i in range(4):
            for k in range(32):
                with T.sblock("B_update"):
                    v0 = T.axis.spatial(1, 0)
                    vk = T.axis.reduce(32, k)
                    T.reads(B[v0], A[0, vk])
                    T.writes(B[v0])
                    B[v0] = B[v0] + A[0, vk]
            with T.sblock("D"):
                vi = T.axis.spatial(4, i)
                T.reads(B[0])
                T.writes(D[vi])
                D[vi] = B[0]
