# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); parallel(l1); l3 = fuse(l1, l2)' %s
# FAILS: 1
# A parallel loop and a serial one stay two.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vi, vj] + T.float32(1)
# WANT:
fuse_one_parallel.py:7:9: error: main: fuse: loop i is not serial any more
        def main(x: T.handle, c: T.handle):
            ^
<trace>:1:68: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); parallel(l1); l3 = fuse(l1, l2)
                                                                       ^
