# RUN: relax schedule --check --do 'b0 = block("Y"); pad(b0, 0, 8)' %s
# FAILS: 1
# What a caller gives has no room beyond its end.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = X[vi] * T.float32(2)
# WANT:
pad_parameter.py:7:9: error: main: pad: Y is a parameter; cache_write first
        def main(x: T.handle, y: T.handle):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("Y"); pad(b0, 0, 8)
                     ^
