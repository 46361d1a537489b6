# RUN: b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); l4 = loop(b0, 0); reorder(l2, l4, l3); b5 = blockize(l4)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        # with T.sblock("root"):
        for j_0 in range(4):
            with T.sblock("C_o"):
                vi_o = T.axis.spatial(T.int64(1), T.int64(0))
                vj_o = T.axis.spatial(4, j_0)
                T.reads(X[T.int64(0):n, vj_o * 16:vj_o * 16 + 16])
                T.writes(C[T.int64(0):n, vj_o * 16:vj_o * 16 + 16])
                for i, j_1 in T.grid(n, 16):
                    with T.sblock("C"):
                        vi_i, vj_i = T.axis.remap("SS", [i, j_1])
                        T.reads(X[vi_i, vj_o * 16 + vj_i])
                        T.writes(C[vi_i, vj_o * 16 + vj_i])
                        C[vi_i, vj_o * 16 + vj_i] = X[vi_i, vj_o * 16 + vj_i] * T.float32(2.0)
