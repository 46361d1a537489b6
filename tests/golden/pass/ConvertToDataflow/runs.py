# RUN: relax opt --pass ConvertToDataflow %s
# Runs of pure bindings; effects and single bindings stay outside.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.exp(x)
        b = R.exp(a)
        f = R.call_packed("foo", b, sinfo_args=(R.Tensor(ndim=1),))
        d = R.exp(b)
        g = R.call_packed("foo", b, sinfo_args=(R.Tensor(ndim=1),))
        e = R.exp(d)
        h = R.exp(e)
        return h
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            b: R.Tensor((n,), dtype="float32") = R.exp(a)
            R.output(b)
        f: R.Tensor(ndim=1) = R.call_packed("foo", b, sinfo_args=(R.Tensor(ndim=1),))
        d: R.Tensor((n,), dtype="float32") = R.exp(b)
        g: R.Tensor(ndim=1) = R.call_packed("foo", b, sinfo_args=(R.Tensor(ndim=1),))
        with R.dataflow():
            e: R.Tensor((n,), dtype="float32") = R.exp(d)
            h: R.Tensor((n,), dtype="float32") = R.exp(e)
            R.output(h)
        return h
