# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# The sum of a long row whose elements are read again: chunks; what reads them runs in parallel along the row, too.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((1, 131072), "float32"), C: T.Buffer((1, 131072), "float32")):
        B = T.sblock_alloc_buffer((1,))
        for i, k in T.grid(1, 131072):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
        for i, j in T.grid(1, 131072):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] / B[vi]
# WANT:
# main: rows
b0 = block("B")
l1 = loop(b0, 1)
l2, l3 = split(l1, factors=[None, 16384])
b4 = rfactor(b0, l2, 0)
l5 = loop(b4, 0)
reorder(l2, l5, l3)
l6, l7 = split(l3, factors=[None, 32])
b8 = rfactor(b4, l7, -1, l5)
b9 = decompose_reduction(b8, l6)
l10 = loop(b9, 2)
vectorize(l10)
vectorize(l7)
l11 = loop(b4, 2)
b12 = decompose_reduction(b4, l11)
vectorize(l11)
compact(l5)
parallel(l2)
parallel(l5)
l13 = fuse(l2, l5)
b14 = block("C")
l15 = loop(b14, 1)
l16, l17 = split(l15, factors=[None, 8])
vectorize(l17)
l18 = loop(b14, 0)
parallel(l18)
parallel(l16)
l19 = fuse(l18, l16)
l20 = loop(b0, 0)
l21, l22 = split(l20, factors=[None, 8])
l23 = loop(b0, 2)
reorder(l21, l23, l22)
vectorize(l22)
b24 = decompose_reduction(b0, l23)
unroll(l23)
parallel(l21)
