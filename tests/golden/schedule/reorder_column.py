# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); reorder(l2, l1); parallel(l2)' %s
# The dependence is carried by one loop alone: its order stays whatever the others do.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        for i, j in T.grid(31, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi + 1, vj] = B[vi, vj] + A[vi, vj]
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# l2 = loop(b0, 0)
# reorder(l1, l2)
# parallel(l1)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        # with T.sblock("root"):
        for j in T.parallel(32):
            for i in range(31):
                with T.sblock("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi + 1, vj] = B[vi, vj] + A[vi, vj]
