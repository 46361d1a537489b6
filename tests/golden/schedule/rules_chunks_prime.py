# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# No divisor is long enough: a guard at the end of the last chunk.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((131101,), "float32"), B: T.Buffer((), "float32")):
        for k in range(131101):
            with T.sblock("B"):
                vk = T.axis.reduce(131101, k)
                with T.init():
                    B[()] = T.float32(0)
                B[()] = B[()] + A[vk]
# WANT:
# main: rows
b0 = block("B")
l1 = loop(b0, 0)
l2, l3 = split(l1, factors=[None, 16384])
b4 = rfactor(b0, l2, 0)
l5, l6 = split(l3, factors=[None, 32])
b7 = rfactor(b4, l6, -1, l2)
b8 = block("B_rf_rf_init")
l9 = loop(b8, 1)
vectorize(l9)
vectorize(l6)
l10 = loop(b4, 1)
b11 = decompose_reduction(b4, l10)
vectorize(l10)
compact(l2)
parallel(l2)
l12 = loop(b0, 0)
l13, l14 = split(l12, factors=[None, 8])
b15 = rfactor(b0, l14, -1)
b16 = decompose_reduction(b15, l13)
l17 = loop(b16, 0)
vectorize(l17)
vectorize(l14)
l18 = loop(b0, 0)
b19 = decompose_reduction(b0, l18)
vectorize(l18)
