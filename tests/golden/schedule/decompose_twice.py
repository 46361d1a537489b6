# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); b2 = decompose_reduction(b0, l1)' %s
# FAILS: 1
# The loop runs the whole reduction again for each i: it can not start once for all.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((1,), "float32"), D: T.Buffer((4,), "float32")):
        for i in range(4):
            for k in range(32):
                with T.sblock("B"):
                    v0 = T.axis.spatial(1, 0)
                    vk = T.axis.reduce(32, k)
                    with T.init():
                        B[v0] = T.float32(0)
                    B[v0] = B[v0] + A[0, vk]
            with T.sblock("D"):
                vi = T.axis.spatial(4, i)
                D[vi] = B[0]
# WANT:
decompose_twice.py:7:9: error: main: decompose_reduction: block B runs anew in every iteration of loop i
        def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((1,), "float32"), D: T.Buffer((4,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); b2 = decompose_reduction(b0, l1)
                                       ^
