# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# What every iteration of the reader's loops would make anew stays outside of them: a sum of two dims' elements for all.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 16, 64))
        C = T.match_buffer(c, (n, 16, 64))
        B = T.sblock_alloc_buffer((n,))
        for i, k, l in T.grid(n, 16, 64):
            with T.sblock("B"):
                vi, vk, vl = T.axis.remap("SRR", [i, k, l])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk, vl]
        for i, j, k in T.grid(n, 16, 64):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                C[vi, vj, vk] = A[vi, vj, vk] / B[vi]
# WANT:
# main: rows
b0 = block("C")
l1 = loop(b0, 2)
l2, l3 = split(l1, factors=[None, 8])
vectorize(l3)
l4 = loop(b0, 0)
parallel(l4)
l5 = loop(b0, 1)
parallel(l5)
l6 = fuse(l4, l5)
b7 = block("B")
l8 = loop(b7, 2)
l9, l10 = split(l8, factors=[None, 32])
l11 = loop(b7, 0)
b12 = rfactor(b7, l10, -1, l11)
l13 = loop(b12, 1)
b14 = decompose_reduction(b12, l13)
l15 = loop(b14, 1)
vectorize(l15)
vectorize(l10)
l16 = loop(b7, 1)
b17 = decompose_reduction(b7, l16)
vectorize(l16)
compact(l11)
parallel(l11)
