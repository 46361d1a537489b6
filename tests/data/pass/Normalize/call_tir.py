# Calls of programs, with symbols passed besides.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.handle, y: T.handle, n: T.int64):
        X = T.match_buffer(x, (n + T.int64(1),))
        Y = T.match_buffer(y, (n + T.int64(1),))
        for i in range(n + T.int64(1)):
            with T.sblock("b"):
                vi = T.axis.spatial(n + T.int64(1), i)
                Y[vi] = X[vi]

    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
            R.output(a)
        with R.dataflow():
            b = R.call_tir(cls.f, (a,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.handle, y: T.handle, n: T.int64):
        X = T.match_buffer(x, (n + T.int64(1),))
        Y = T.match_buffer(y, (n + T.int64(1),))
        # with T.sblock("root"):
        for i in range(n + T.int64(1)):
            with T.sblock("b"):
                vi = T.axis.spatial(n + T.int64(1), i)
                T.reads(X[vi])
                T.writes(Y[vi])
                Y[vi] = X[vi]

    @R.function
    def main(x: R.Tensor(("n + 1",), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            b = R.call_tir(cls.f, (a,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
            R.output(a, b)
        return b
