# RUN: b0 = block("Y"); l1 = loop(b0, 0); vectorize(l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((5, 8), "float32"), Y: T.Buffer((5, 8), "float32")):
        # with T.sblock("root"):
        for j in T.vectorized(8):
            with T.sblock("Y"):
                vj = T.axis.spatial(8, j)
                T.reads(X[0:5, vj])
                T.writes(Y[0:5, vj])
                acc = T.sblock_alloc_buffer((), scope="local")
                acc[()] = T.float32(0.0)
                for i in range(5):
                    acc[()] = acc[()] + X[i, vj]
                    Y[i, vj] = acc[()]
