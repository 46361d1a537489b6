# A kind of axis that does not exist.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spacial(16, i)
                B[v] = T.float32(0)
# WANT:
error_name_axis.py:10:28: error: T.axis.spacial is not known; there are spatial, reduce, scan, opaque and remap
                    v = T.axis.spacial(16, i)
                               ^
