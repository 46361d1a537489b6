# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8])' %s
# What stands between the loop and its blocks is guarded as a whole.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((30,), "float32"), F: T.Buffer((30,), "int32"), B: T.Buffer((30,), "float32")):
        for i in range(30):
            if F[i] > 0:
                with T.sblock("B"):
                    vi = T.axis.spatial(30, i)
                    B[vi] = A[vi]
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 0)
# l2, l3 = split(l1, factors=[None, 8])
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((30,), "float32"), F: T.Buffer((30,), "int32"), B: T.Buffer((30,), "float32")):
        # with T.sblock("root"):
        for i_0, i_1 in T.grid(4, 8):
            if i_0 * 8 + i_1 < 30:
                if F[i_0 * 8 + i_1] > 0:
                    with T.sblock("B"):
                        vi = T.axis.spatial(30, i_0 * 8 + i_1)
                        B[vi] = A[vi]
