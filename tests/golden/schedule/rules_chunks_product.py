# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# Few results of a long product: its reduction is cut into chunks, which run in parallel and are joined in order.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((1, 8192), "float32"), B: T.Buffer((8192, 16), "float32"), C: T.Buffer((1, 16), "float32")):
        for i, j, k in T.grid(1, 16, 8192):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
# WANT:
# main: rows
b0 = block("C")
l1 = loop(b0, 2)
l2, l3 = split(l1, factors=[None, 1024])
b4 = rfactor(b0, l2, 0)
l5 = loop(b4, 0)
l6 = loop(b4, 1)
reorder(l2, l5, l6, l3)
b7 = cache_write(b4, 0, "local")
l8, l9 = split(l5, factors=[None, 1])
l10, l11, l12 = split(l6, factors=[None, 2, 8])
reorder(l2, l10, l8, l9, l11, l12, l3)
reverse_compute_at(b7, l8)
reorder(l3, l9, l11, l12)
b13 = decompose_reduction(b4, l3)
unroll(l9)
unroll(l11)
vectorize(l12)
l14 = loop(b13, 3)
unroll(l14)
l15 = loop(b13, 4)
vectorize(l15)
l16 = loop(b7, 3)
l17, l18 = split(l16, factors=[None, 8])
vectorize(l18)
compact(l8)
parallel(l2)
parallel(l10)
parallel(l8)
l19 = fuse(l2, l10, l8)
l20 = loop(b0, 1)
l21, l22 = split(l20, factors=[None, 8])
l23 = loop(b0, 3)
reorder(l21, l23, l22)
vectorize(l22)
b24 = decompose_reduction(b0, l23)
unroll(l23)
l25 = loop(b24, 0)
parallel(l25)
