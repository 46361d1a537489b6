# RUN: relax schedule --check --do 'b0 = block("Y"); l1 = loop(b0, 0); b2 = peel(l1)' %s
# FAILS: 1
# There is no guard.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("Y"):
                vi = T.axis.spatial(8, i)
                Y[vi] = X[vi] * T.float32(2)
# WANT:
peel_none.py:7:9: error: main: peel: no guard inside loop i depends on it in a way that can be told
        def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("Y"); l1 = loop(b0, 0); b2 = peel(l1)
                                       ^
