# A private program steps aside.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def g(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                Y[vi] = X[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "g"})
        cls = Module
        a = R.call_tir(cls.g, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def g1(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(X[vi])
                T.writes(Y[vi])
                Y[vi] = X[vi]

    @R.function
    def g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        a = R.call_tir(cls.g1, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
        return a
