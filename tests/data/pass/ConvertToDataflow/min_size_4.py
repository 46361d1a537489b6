# Only longer runs.
# PASS: ConvertToDataflow:min_size=4
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        a = R.exp(x)
        b = R.exp(a)
        c = R.exp(b)
        g = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        d = R.exp(c)
        e = R.exp(d)
        f = R.exp(e)
        h = R.exp(f)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(x)
        b: R.Tensor((n,), dtype="float32") = R.exp(a)
        c: R.Tensor((n,), dtype="float32") = R.exp(b)
        g: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        with R.dataflow():
            d: R.Tensor((n,), dtype="float32") = R.exp(c)
            e: R.Tensor((n,), dtype="float32") = R.exp(d)
            f: R.Tensor((n,), dtype="float32") = R.exp(e)
            h: R.Tensor((n,), dtype="float32") = R.exp(f)
            R.output(h)
        return h
