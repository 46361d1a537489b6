# RUN: relax schedule --check --do 'b0 = block("A"); l1 = loop(b0, 1); b2 = block("S"); l3 = loop(b2, 1); l4 = merge(l1, l3)' %s
# Each element is added as soon as it is made; the loop over rows stays around both.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, a: T.handle, s: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        A = T.match_buffer(a, (n, m))
        S = T.match_buffer(s, (n,))
        for i in range(n):
            for j in range(m):
                with T.sblock("A"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    A[vi, vj] = X[vi, vj] * T.float32(2)
            for k in range(m):
                with T.sblock("S"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + A[vi, vk]
# WANT:
# main: trace
# b0 = block("A")
# l1 = loop(b0, 1)
# b2 = block("S")
# l3 = loop(b2, 1)
# l4 = merge(l1, l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, a: T.handle, s: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m))
        A = T.match_buffer(a, (n, m))
        S = T.match_buffer(s, (n,))
        # with T.sblock("root"):
        for i, j in T.grid(n, m):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2.0)
            with T.sblock("S"):
                vi, vk = T.axis.remap("SR", [i, j])
                with T.init():
                    S[vi] = T.float32(0.0)
                S[vi] = S[vi] + A[vi, vk]
