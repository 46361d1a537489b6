# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[4, 4])' %s
# FAILS: 1
# The factors must cover the loop.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        C = T.sblock_alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj]
# WANT:
split_uncovered.py:7:9: error: main: split: the factors cover T.int32(16) iterations, but loop i may have more: T.int32(32)
        def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[4, 4])
                                       ^
