# RUN: relax schedule --show --target cpu:x86-64-v3 %s
# The same of a row whose length only the run tells, which may be short: it stays in one place.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (1, n))
        C = T.match_buffer(c, (1, n))
        B = T.sblock_alloc_buffer((1,))
        for i, k in T.grid(1, n):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
        for i, j in T.grid(1, n):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] / B[vi]
# WANT:
# main: rows
b0 = block("C")
l1 = loop(b0, 1)
l2, l3 = split(l1, factors=[None, 8])
vectorize(l3)
b4 = block("B")
l5 = loop(b0, 0)
compute_at(b4, l5)
l6 = loop(b4, 1)
l7, l8 = split(l6, factors=[None, 32])
b9 = rfactor(b4, l8, -1, l5)
b10 = block("B_rf_init")
l11 = loop(b10, 1)
vectorize(l11)
vectorize(l8)
l12 = loop(b4, 1)
b13 = decompose_reduction(b4, l12)
vectorize(l12)
compact(l5)
parallel(l5)
