# RUN: b0 = block("Y"); l1 = loop(b0, 1); bind(l1, "threadIdx.x")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8, 4), "float32"), Y: T.Buffer((8,), "float32")):
        # with T.sblock("root"):
        for i in range(8):
            for k in T.thread_binding(4, thread="threadIdx.x"):
                with T.sblock("Y"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    T.reads(X[vi, vk])
                    T.writes(Y[vi])
                    with T.init():
                        Y[vi] = T.float32(0.0)
                    Y[vi] = Y[vi] + X[vi, vk]
