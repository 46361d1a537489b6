# RUN: relax schedule --check --do 'b0 = block("E"); b1 = block("Y"); share(b0, b1); l2 = loop(b0, 0); parallel(l2)' %s
# The row that is made, added up and divided lies where the quotients go.
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
                    Y[vi, vj] = E[vi, vj] / S[vi]
# WANT:
# main: trace
# b0 = block("E")
# b1 = block("Y")
# share(b0, b1)
# l2 = loop(b0, 0)
# parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        Y = T.match_buffer(y, (n, m))
        # with T.sblock("root"):
        S = T.sblock_alloc_buffer((n,))
        for i in T.parallel(n):
            for j in range(m):
                with T.sblock("E"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Y[vi, vj] = T.exp(X[vi, vj])
            for j in range(m):
                with T.sblock("S"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        S[vi] = T.float32(0.0)
                    S[vi] = S[vi] + Y[vi, vj]
            for j in range(m):
                with T.sblock("Y"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Y[vi, vj] = Y[vi, vj] / S[vi]
