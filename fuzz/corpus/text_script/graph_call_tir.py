@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def one(A: T.handle, B: T.handle, n: T.int64):
        m = T.int64()
        X = T.match_buffer(A, (m * n,), "float32")
        Y = T.match_buffer(B, (m,), "float32")
        for i in range(m):
            with T.sblock("b"):
                v = T.axis.spatial(m, i)
                Y[v] = X[v * n]

    @T.prim_func(private=True, s_tir=True)
    def two(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                B[v] = A[v]
                C[v] = T.Cast("int32", A[v])

    @T.prim_func(private=True, s_tir=True)
    def inplace(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                A[v] = A[v] + T.float32(1)

    @R.function
    def main(x: R.Tensor(("k * 2",), "float32"), y: R.Tensor((4,), "float32"), s: R.Shape(["k"])):
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.one, (x,), out_sinfo=R.Tensor((k,), "float32"), tir_vars=R.shape([2]))
        b = R.call_tir(cls.two, (y,), out_sinfo=[R.Tensor((4,), "float32"), R.Tensor((4,), "int32")])
        c = R.call_tir_inplace(cls.inplace, (y,), inplace_indices=[0], out_sinfo=R.Tensor((4,), "float32"))
        return (a, b, c)
