# Calls of programs and of functions of the module.
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

    @R.function(private=True)
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
        b = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n + 1,), "float32"), tir_vars=R.shape([n]))
        c = cls.g(x)
        d = cls.g(x)
        return (a, b, c, d)
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

    @R.function(private=True)
    def g(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        return x

    @R.function
    def main(x: R.Tensor(("n + 1",), dtype="float32"), s: R.Shape(["n"])) -> R.Tuple(R.Tensor(("n + 1",), dtype="float32"), R.Tensor(("n + 1",), dtype="float32"), R.Tensor(("n + 1",), dtype="float32"), R.Tensor(("n + 1",), dtype="float32")):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n + 1,), dtype="float32"), tir_vars=R.shape([n]))
        b: R.Tensor((n + 1,), dtype="float32") = a
        c: R.Tensor((n + 1,), dtype="float32") = cls.g(x)
        d: R.Tensor((n + 1,), dtype="float32") = c
        return (a, a, c, c)
