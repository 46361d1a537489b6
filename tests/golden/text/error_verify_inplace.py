# A value read after it was written over.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def one(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                A[v] = A[v] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.exp(x)
        z = R.call_tir_inplace(cls.one, (y,), inplace_indices=[0], out_sinfo=R.Tensor((4,), "float32"))
        w = R.add(y, z)
        return w
# WANT:
error_verify_inplace.py:18:13: error: y is used after R.call_tir_inplace took its memory over; use the call's result
            w = R.add(y, z)
                ^
error_verify_inplace.py:17:13: note: it was taken over here
            z = R.call_tir_inplace(cls.one, (y,), inplace_indices=[0], out_sinfo=R.Tensor((4,), "float32"))
                ^
