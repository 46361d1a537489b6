# RUN: relax schedule --check --do 'b0 = block("A"); transform_layout(b0, 0, lambda i, j: (j // 16, i))' %s
# FAILS: 1
# Sixteen columns would share a place.
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
transform_layout_lost.py:7:9: error: main: transform_layout: the index map puts several elements in one place: j is lost
        def main(x: T.handle, b: T.handle):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("A"); transform_layout(b0, 0, lambda i, j: (j // 16, i))
                     ^
