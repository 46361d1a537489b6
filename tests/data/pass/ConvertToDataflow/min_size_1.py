# Single bindings too.
# PASS: ConvertToDataflow:min_size=1
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        d = R.exp(x)
        g = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        e = R.exp(d)
        return (e, d)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            d: R.Tensor((n,), dtype="float32") = R.exp(x)
            R.output(d)
        g: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        with R.dataflow():
            e: R.Tensor((n,), dtype="float32") = R.exp(d)
            R.output(e)
        return (e, d)
