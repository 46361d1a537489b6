# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); parallel(l1)' %s
# FAILS: 1
# Iterations of a reduction add to one element.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32,), "float32")):
        for i, k in T.grid(32, 32):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
# WANT:
parallel_reduction.py:7:9: error: main: parallel: loop k carries the reduction vk of block B
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 1); parallel(l1)
                                       ^
