# RUN: relax schedule --check --do 'b0 = block("A"); storage_align(b0, 0, 0, 32, 1)' %s
# Rows of 65 elements: columns fall in different banks.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, b: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 40))
        B = T.match_buffer(b, (40, n))
        A = T.sblock_alloc_buffer((n, 40))
        for i, j in T.grid(n, 40):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2)
        for j, i in T.grid(40, n):
            with T.sblock("B"):
                vj, vi = T.axis.remap("SS", [j, i])
                B[vj, vi] = A[vi, vj] + A[vi, 0]
# WANT:
# main: trace
# b0 = block("A")
# storage_align(b0, 0, 0, 32, 1)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, b: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 40))
        B = T.match_buffer(b, (40, n))
        # with T.sblock("root"):
        A = T.sblock_alloc_buffer((n, 65))
        for i, j in T.grid(n, 40):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2.0)
        for j, i in T.grid(40, n):
            with T.sblock("B"):
                vj, vi = T.axis.remap("SS", [j, i])
                B[vj, vi] = A[vi, vj] + A[vi, 0]
