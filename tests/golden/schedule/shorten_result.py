# RUN: relax schedule --do 'b0 = block("C"); l0 = loop(b0, 0); shorten(l0)' %s
# FAILS: 1
# A result is read by whoever asks for it.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        C = T.match_buffer(c, (n, 4))
        with T.sblock("root"):
            B = T.sblock_alloc_buffer((n, 4))
            for i, j in T.grid(n, 4):
                with T.sblock("T"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] * T.float32(2)
            for i, j in T.grid(n, 4):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = B[vi, vj] + T.float32(1)
# WANT:
shorten_result.py:7:9: error: main: shorten: loop i does not make elements of one intermediate, one behind the other
        def main(a: T.handle, c: T.handle):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("C"); l0 = loop(b0, 0); shorten(l0)
                                       ^
