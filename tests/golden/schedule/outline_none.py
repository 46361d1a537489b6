# RUN: relax schedule --check --do 'b0 = block("C"); b1 = outline(b0, [0, 1])' %s
# FAILS: 1
# Nothing that is added depends on the row and the column, but not on the step.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), W: T.Buffer((6, 32), "float32"), C: T.Buffer((4, 6), "float32")):
        for i, j, k in T.grid(4, 6, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vj, vk]
# WANT:
outline_none.py:7:9: error: main: outline: no part of block C depends on these variables alone
        def main(A: T.Buffer((4, 32), "float32"), W: T.Buffer((6, 32), "float32"), C: T.Buffer((4, 6), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("C"); b1 = outline(b0, [0, 1])
                     ^
