# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# Too little work for a second thread: the sum is not cut.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32768,), "float32"), B: T.Buffer((), "float32")):
        for k in range(32768):
            with T.sblock("B"):
                vk = T.axis.reduce(32768, k)
                with T.init():
                    B[()] = T.float32(0)
                B[()] = B[()] + A[vk]
# WANT:
# main: rows
b0 = block("B")
l1 = loop(b0, 0)
l2, l3 = split(l1, factors=[None, 32])
b4 = rfactor(b0, l3, -1)
b5 = decompose_reduction(b4, l2)
l6 = loop(b5, 0)
vectorize(l6)
vectorize(l3)
l7 = loop(b0, 0)
b8 = decompose_reduction(b0, l7)
vectorize(l7)
