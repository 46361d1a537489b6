@I.ir_module
class Other:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                B[v] = A[v]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Other
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), "float32"))
        z = R.call_tir(Other.f, (y,), out_sinfo=R.Tensor((4,), "float32"))
        return z
