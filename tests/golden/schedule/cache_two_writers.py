# RUN: relax schedule --check --do 'b0 = block("Y"); cache_write(b0, 0, "local")' %s
# FAILS: 1
# Another block writes the same buffer in the same loop.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((16,), "float32")):
        for i in range(8):
            with T.sblock("Y"):
                vi = T.axis.spatial(8, i)
                Y[vi] = X[vi] * T.float32(2)
            with T.sblock("Z"):
                vi = T.axis.spatial(8, i)
                Y[vi + 8] = X[vi] * T.float32(3)
# WANT:
cache_two_writers.py:7:9: error: main: cache_write: Y is also used by others in the loops of block Y
        def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((16,), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("Y"); cache_write(b0, 0, "local")
                     ^
