# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); l4 = loop(b0, 0); reorder(l2, l4, l3); b5 = blockize(l4)' %s
# Tiles of 16 columns, all rows: the block's variable is the tile's number.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vi, vj] * T.float32(2)
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 16])
# l4 = loop(b0, 0)
# reorder(l2, l4, l3)
# b5 = blockize(l4)
# from tvm.script import ir as I
# from tvm.script import tirx as T

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
                vj_o = T.axis.spatial(4, j_0)
                for i, j_1 in T.grid(n, 16):
                    with T.sblock("C"):
                        vi = T.axis.spatial(n, i)
                        vj = T.axis.spatial(64, vj_o * 16 + j_1)
                        C[vi, vj] = X[vi, vj] * T.float32(2.0)
