# RUN: relax schedule --check --do 'b0 = block("A"); storage_align(b0, 0, 0, 32, 1)' %s
# FAILS: 1
# An intermediate of one dim has no rows.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
        A = T.sblock_alloc_buffer((8,))
        for i in range(8):
            with T.sblock("A"):
                vi = T.axis.spatial(8, i)
                A[vi] = X[vi] * T.float32(2)
        for i in range(8):
            with T.sblock("Y"):
                vi = T.axis.spatial(8, i)
                Y[vi] = A[vi] + T.float32(1)
# WANT:
storage_align_one.py:7:9: error: main: storage_align: axis 0 of A has no axis behind it
        def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("A"); storage_align(b0, 0, 0, 32, 1)
                     ^
