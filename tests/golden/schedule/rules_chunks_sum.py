# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# A sum of everything: a chunk is a row, where rows are long, however many there are.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((), "float32")):
        n = T.int64()
        A = T.match_buffer(a, (n, 8192))
        for i, k in T.grid(n, 8192):
            with T.sblock("B"):
                vi, vk = T.axis.remap("RR", [i, k])
                with T.init():
                    B[()] = T.float32(0)
                B[()] = B[()] + A[vi, vk]
# WANT:
# main: rows
b0 = block("B")
l1 = loop(b0, 0)
b2 = rfactor(b0, l1, 0)
l3 = loop(b2, 1)
l4, l5 = split(l3, factors=[None, 32])
b6 = rfactor(b2, l5, -1, l1)
b7 = decompose_reduction(b6, l4)
l8 = loop(b7, 1)
vectorize(l8)
vectorize(l5)
l9 = loop(b2, 1)
b10 = decompose_reduction(b2, l9)
vectorize(l9)
compact(l1)
parallel(l1)
l11 = loop(b0, 0)
l12, l13 = split(l11, factors=[None, 32])
b14 = rfactor(b0, l13, -1)
b15 = block("B_rf_1_init")
l16 = loop(b15, 0)
vectorize(l16)
vectorize(l13)
l17 = loop(b0, 0)
b18 = decompose_reduction(b0, l17)
vectorize(l17)
