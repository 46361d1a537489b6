# RUN: relax schedule --check --do 'b0 = block("E"); b1 = block("Y"); share(b0, b1)' %s
# FAILS: 1
# What is read of the row behind, where the result is written, would be the result.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        Y = T.match_buffer(y, (n, m))
        E = T.sblock_alloc_buffer((n, m))
        S = T.sblock_alloc_buffer((n,))
        for i in range(n):
            for j in range(m):
                with T.sblock("E"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    E[vi, vj] = T.exp(X[vi, vj])
            for j in range(m):
                with T.sblock("S"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + E[vi, vj]
            for j in range(m):
                with T.sblock("Y"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Y[vi, vj] = E[vi, vj] / S[vi] + E[vi, T.int64(0)]
# WANT:
share_elsewhere.py:7:9: error: main: share: block Y reads other elements of E than it writes
        def main(x: T.handle, y: T.handle):
            ^
<trace>:1:35: note: this line of the trace does not apply
    b0 = block("E"); b1 = block("Y"); share(b0, b1)
                                      ^
