# RUN: b0 = block("Y"); cache_read(b0, 0, "local")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((17,), "float32"), Y: T.Buffer((16,), "float32")):
        # with T.sblock("root"):
        X_local = T.sblock_alloc_buffer((16,), scope="local")
        for i in range(16):
            with T.sblock("Y"):
                vi = T.axis.spatial(16, i)
                T.reads(X_local[vi - 1])
                T.writes(Y[vi])
                Y[vi] = X_local[vi - 1] * T.float32(2.0)
            with T.sblock("X"):
                vi = T.axis.spatial(16, i)
                T.reads(Y[vi])
                T.writes(X[vi + 1])
                X[vi + 1] = Y[vi]
        for ax0 in range(16):
            with T.sblock("X_local"):
                v0 = T.axis.spatial(16, ax0)
                T.reads(X[1 + v0])
                T.writes(X_local[v0])
                X_local[v0] = X[1 + v0]
