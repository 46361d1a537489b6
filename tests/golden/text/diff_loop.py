# The first difference of a loop program, with what stands before it.
# RUN: sed 's/T.float32(2)/T.float32(3)/' %s > other.py; relax diff %s other.py
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.sblock("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = A[vi, vj] * T.float32(2)
# WANT:
f: the expressions differ
          with T.sblock("scale"):
              vi, vj = T.axis.remap("SS", [i, j])
-             A[vi, vj] = A[vi, vj] * T.float32(2.0)
+             A[vi, vj] = A[vi, vj] * T.float32(3.0)
