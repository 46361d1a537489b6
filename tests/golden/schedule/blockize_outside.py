# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); b4 = blockize(l3)' %s
# FAILS: 1
# The sum goes on in the loop outside, and starts in the block: it has to start before.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n,))
        for i, k in T.grid(n, 64):
            with T.sblock("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + X[vi, vk]
# WANT:
blockize_outside.py:7:9: error: main: blockize: the reduction of block C goes on outside; decompose_reduction first
        def main(x: T.handle, c: T.handle):
            ^
<trace>:1:76: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 16]); b4 = blockize(l3)
                                                                               ^
