# Loop programs that nobody calls any more.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                Y[vi] = X[vi]

    @T.prim_func(private=True, s_tir=True)
    def g(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                Y[vi] = X[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), "float32"))
            b = R.call_tir(cls.g, (x,), out_sinfo=R.Tensor((4,), "float32"))
            R.output(a)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(X[vi])
                T.writes(Y[vi])
                Y[vi] = X[vi]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(a)
        return a
