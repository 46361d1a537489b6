# RUN: relax schedule --check --do 'b0 = block("A"); transform_layout(b0, 0, lambda i, j: (j // 16, i, j % 16))' %s
# Columns in blocks of 16; the last block is larger than what is left.
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
# transform_layout(b0, 0, lambda i, j: (j // 16, i, j % 16))
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
        A = T.sblock_alloc_buffer((T.int64(3), n, T.int64(16)))
        for i, j in T.grid(n, 40):
            with T.sblock("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[T.Cast("int64", vj) // T.int64(16), vi, T.Cast("int64", vj) % T.int64(16)] = X[vi, vj] * T.float32(2.0)
        for j, i in T.grid(40, n):
            with T.sblock("B"):
                vj, vi = T.axis.remap("SS", [j, i])
                B[vj, vi] = A[T.Cast("int64", vj) // T.int64(16), vi, T.Cast("int64", vj) % T.int64(16)] + A[T.int64(0), vi, T.int64(0)]
