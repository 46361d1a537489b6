# RUN: relax schedule --check --do 'b0 = block("Y"); cache_read(b0, 0, "local")' %s
# FAILS: 1
# What is read is written in the same loops: a copy made before them would hold old values.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((17,), "float32"), Y: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.sblock("Y"):
                vi = T.axis.spatial(16, i)
                Y[vi] = X[vi] * T.float32(2)
            with T.sblock("X"):
                vi = T.axis.spatial(16, i)
                X[vi + 1] = Y[vi]
# WANT:
cache_read_written.py:7:9: error: main: cache_read: X, which block Y reads, is written in the same loops
        def main(X: T.Buffer((17,), "float32"), Y: T.Buffer((16,), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("Y"); cache_read(b0, 0, "local")
                     ^
