# RUN: relax schedule --check --do 'b0 = block("E"); b1 = block("Y"); share(b0, b1)' %s
# FAILS: 1
# The sum comes behind: it would add results up.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle, s: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        S = T.match_buffer(s, (1,))
        E = T.sblock_alloc_buffer((n,))
        for i in range(n):
            with T.sblock("E"):
                vi = T.axis.spatial(n, i)
                E[vi] = T.exp(X[vi])
        for i in range(n):
            with T.sblock("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = E[vi] * T.float32(2)
        for i in range(n):
            with T.sblock("S"):
                vi = T.axis.reduce(n, i)
                with T.init():
                    S[0] = T.float32(0)
                S[0] = S[0] + E[vi]
# WANT:
share_again.py:7:9: error: main: share: E is used again once block Y runs
        def main(x: T.handle, y: T.handle, s: T.handle):
            ^
<trace>:1:35: note: this line of the trace does not apply
    b0 = block("E"); b1 = block("Y"); share(b0, b1)
                                      ^
