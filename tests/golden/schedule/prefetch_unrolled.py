# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 8]); unroll(l3); prefetch(l3, 64)' %s
# FAILS: 1
# A loop that is written out has no iteration to ask ahead from.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 64))
        C = T.match_buffer(c, (n,))
        for i, r in T.grid(n, 64):
            with T.sblock("C"):
                vi, vr = T.axis.remap("SR", [i, r])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vr]
# WANT:
prefetch_unrolled.py:7:9: error: main: prefetch: loop r_1 is not serial any more
        def main(a: T.handle, c: T.handle):
            ^
<trace>:1:87: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 8]); unroll(l3); prefetch(l3, 64)
                                                                                          ^
