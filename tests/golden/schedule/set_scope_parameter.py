# RUN: relax schedule --check --do 'b0 = block("Y"); set_scope(b0, 0, "shared")' %s
# FAILS: 1
# The caller's memory stays where it is.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("Y"):
                vi = T.axis.spatial(8, i)
                Y[vi] = X[vi] * T.float32(2)
# WANT:
set_scope_parameter.py:7:9: error: main: set_scope: Y is a parameter
        def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("Y"); set_scope(b0, 0, "shared")
                     ^
