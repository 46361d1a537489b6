# RUN: relax schedule --check --do 'b0 = block("C"); pad_einsum(b0, [1, 16])' %s
# FAILS: 1
# Zeros change an extreme.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 12))
        C = T.match_buffer(c, (n,))
        for i, r in T.grid(n, 12):
            with T.sblock("C"):
                vi, vr = T.axis.remap("SR", [i, r])
                with T.init():
                    C[vi] = T.float32(-100)
                C[vi] = T.max(C[vi], A[vi, vr])
# WANT:
pad_einsum_max.py:7:9: error: main: pad_einsum: block C is no sum of products over vr
        def main(a: T.handle, c: T.handle):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("C"); pad_einsum(b0, [1, 16])
                     ^
