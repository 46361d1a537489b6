# Calls of programs, scalars passed besides.
# PASS: BindSymbolicVars:binding_map={n: 8}
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
        return a
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
    def main(x: R.Tensor((9,), dtype="float32"), s: R.Shape([8])) -> R.Tensor((9,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((9,), dtype="float32"), tir_vars=R.shape([8]))
            R.output(a)
        return a
