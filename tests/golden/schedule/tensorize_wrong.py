# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); l4 = loop(b0, 2); l5, l6 = split(l4, factors=[None, 8]); reorder(l2, l5, l3, l6); tensorize(l3, "transpose")' %s
# FAILS: 1
# Nothing is read along the outer loop alone: this is a plain copy.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(64, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vi, vj]
# WANT:
tensorize_wrong.py:7:9: error: main: tensorize: block C does not move in X by one element with loop i_1
        def main(X: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
            ^
<trace>:1:157: note: this line of the trace does not apply
    ...loop(b0, 0); l2, l3 = split(l1, factors=[None, 8]); l4 = loop(b0, 2); l5, l6 = split(l4, factors=[None, 8]); reorder(l2, l5, l3, l6); tensorize(l3, "transpose")
                                                                                                                                             ^
