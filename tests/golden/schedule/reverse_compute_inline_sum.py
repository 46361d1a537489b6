# RUN: relax schedule --check --do 'b0 = block("B"); reverse_compute_inline(b0)' %s
# FAILS: 1
# A sum is not finished where it is added to.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
        A = T.sblock_alloc_buffer((4,))
        for i, k in T.grid(4, 8):
            with T.sblock("A"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    A[vi] = T.float32(0)
                A[vi] = A[vi] + X[vi, vk]
        for i in range(4):
            with T.sblock("B"):
                vi = T.axis.remap("S", [i])
                B[vi] = A[vi] * T.float32(0.5)
# WANT:
reverse_compute_inline_sum.py:7:9: error: main: reverse_compute_inline: block A is not one plain assignment of an element
        def main(X: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("B"); reverse_compute_inline(b0)
                     ^
