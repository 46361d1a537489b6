# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); reorder(l1, l3, l2); b8 = block("Y"); reverse_compute_at(b8, l3)' %s
# FAILS: 1
# Inside the loop over k the sum is not finished.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, W: T.Buffer((T.int64(20), T.int64(16)), "float32"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(20)))
        Y = T.match_buffer(y, (n, T.int64(16)))

        C = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, j, k in T.grid(n, T.int64(16), T.int64(20)):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + X[vi, vk] * W[vk, vj]
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = T.max(C[vi, vj], T.float32(0))
# WANT:
reverse_compute_at_unfinished.py:7:9: error: main: reverse_compute_at: loop k is part of the reduction of block C, which is not finished there
        def main(x: T.handle, W: T.Buffer((T.int64(20), T.int64(16)), "float32"), y: T.handle):
            ^
<trace>:1:110: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); reorder(l1, l3, l2); b8 = block("Y"); reverse_compute_at(b8, l3)
                                                                                                                 ^
