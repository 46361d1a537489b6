# RUN: relax schedule --check --do 'b0 = block("A"); b1 = block("C"); l2 = loop(b1, 0); compute_at(b0, l2)' %s
# A row is made where it is read.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        A = T.sblock_alloc_buffer((n, 64))
        for i, j in T.grid(n, 64):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2)
        for i, j in T.grid(n, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
# WANT:
# main: trace
# b0 = block("A")
# b1 = block("C")
# l2 = loop(b1, 0)
# compute_at(b0, l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, c: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64))
        C = T.match_buffer(c, (n, 64))
        # with T.sblock("root"):
        A = T.sblock_alloc_buffer((n, 64))
        for i in range(n):
            for ax1 in range(64):
                with T.sblock("A"):
                    vi, vj = T.axis.remap("SS", [i, ax1])
                    A[vi, vj] = X[vi, vj] * T.float32(2.0)
            for j in range(64):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = A[vi, vj] + T.float32(1.0)
