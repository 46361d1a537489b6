# RUN: relax schedule --show --target cpu:x86-64-v3 %s >rules.txt; grep -v '^#' rules.txt >trace.txt
# RUN: relax schedule --show --trace trace.txt --check %s >again.txt; grep -v '^#' again.txt | diff trace.txt - && head -n 1 rules.txt again.txt
# What rules leave is a trace: it replays from a file, and prints the same again.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 64))
        C = T.match_buffer(c, (n, 64))
        B = T.sblock_alloc_buffer((n,))
        for i, k in T.grid(n, 64):
            with T.sblock("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + B[vi] * T.float32(0.01)
# WANT:
==> rules.txt <==
# main: rows

==> again.txt <==
# main: trace
