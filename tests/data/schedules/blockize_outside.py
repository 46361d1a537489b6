# RUN: b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); b4 = blockize(l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n,))
        # with T.sblock("root"):
        for i, k_0 in T.grid(n, 4):
            with T.sblock("C_o"):
                vi_o, vk_o = T.axis.remap("SR", [i, k_0])
                T.reads(X[vi_o, vk_o * 16:vk_o * 16 + 16])
                T.writes(C[vi_o])
                with T.init():
                    with T.sblock("C_init"):
                        T.reads()
                        T.writes(C[vi_o])
                        C[vi_o] = T.float32(0.0)
                for k_1 in range(16):
                    with T.sblock("C"):
                        vk_i = T.axis.reduce(16, k_1)
                        T.reads(C[vi_o], X[vi_o, vk_o * 16 + vk_i])
                        T.writes(C[vi_o])
                        C[vi_o] = C[vi_o] + X[vi_o, vk_o * 16 + vk_i]
