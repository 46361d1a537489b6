# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# Down columns the guard at the end of the last chunk is none of vectors: chunks that are whole run without it.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((64,), "float32")):
        n = T.int64()
        A = T.match_buffer(a, (n, 64))
        for j, k in T.grid(64, n):
            with T.sblock("B"):
                vj, vk = T.axis.remap("SR", [j, k])
                with T.init():
                    B[vj] = T.float32(0)
                B[vj] = B[vj] + A[vk, vj]
# WANT:
# main: rows
b0 = block("B")
l1 = loop(b0, 1)
l2, l3 = split(l1, factors=[None, 1024])
b4 = rfactor(b0, l2, 0)
l5 = loop(b4, 0)
reorder(l2, l5, l3)
l6, l7, l8 = split(l5, factors=[None, 4, 8])
reorder(l6, l3, l7, l8)
unroll(l7)
vectorize(l8)
b9 = decompose_reduction(b4, l3)
b10, b11 = peel(l2, b4)
parallel(l2)
l12 = loop(b0, 0)
l13, l14, l15 = split(l12, factors=[None, 4, 8])
l16 = loop(b0, 3)
reorder(l13, l16, l14, l15)
unroll(l14)
vectorize(l15)
b17 = decompose_reduction(b0, l16)
parallel(l13)
