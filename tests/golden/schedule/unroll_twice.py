# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); vectorize(l1); unroll(l1)' %s
# FAILS: 1
# A loop of lanes is not written out as well.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        B = T.sblock_alloc_buffer((8, 16))
        for i, j in T.grid(8, 16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(8, 16):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
# WANT:
unroll_twice.py:7:9: error: main: unroll: loop j is not serial any more
        def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
            ^
<trace>:1:51: note: this line of the trace does not apply
    b0 = block("C"); l1 = loop(b0, 1); vectorize(l1); unroll(l1)
                                                      ^
