# RUN: relax schedule --check --do 'b0 = block("B"); l1 = loop(b0, 0); parallel(l1)' %s
# FAILS: 1
# What a call with effects does can not be looked through.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        for i in range(8):
            with T.sblock("B"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.call_extern("int32", "rand")
# WANT:
opaque_call.py:7:9: error: main: parallel: loop i holds a call with effects
        def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("B"); l1 = loop(b0, 0); parallel(l1)
                                       ^
