# RUN: relax opt --pass DeadCodeElimination %s
# Chains, outputs, private functions; match_casts and effects stay.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def unused(X: T.Buffer((T.int64(4),), "float32"), Y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                Y[vi] = X[vi]
    @R.function(private=True)
    def dead(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            a = R.add(x, x)
            b = R.exp(a)
            c = R.exp(b)
            u = R.match_cast(y, R.Tensor((m,), "float32"))
            w = R.match_cast(y, R.Tensor((k,), "float32"))
            z = R.exp(u)
            R.output(c, a, z)
        d = R.exp(c)
        f = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        g = R.call_pure_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        return z
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            u: R.Tensor((m,), dtype="float32") = R.match_cast(y, R.Tensor((m,), dtype="float32"))
            w: R.Tensor((k,), dtype="float32") = R.match_cast(y, R.Tensor((k,), dtype="float32"))
            z: R.Tensor((m,), dtype="float32") = R.exp(u)
            R.output(z)
        f: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        return z
