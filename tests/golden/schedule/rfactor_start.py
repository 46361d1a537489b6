# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 1); b2 = rfactor(b0, l1, 0)' %s
# FAILS: 1
# A sum that starts from 1 would count it once for each partial sum.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 32):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(1)
                B[vi] = B[vi] + A[vi, vk]
# WANT:
rfactor_start.py:7:9: error: main: rfactor: block B does not start from 0
        def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 1); b2 = rfactor(b0, l1, 0)
                                       ^
