# Calls with effects keep their place.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        b = R.call_packed("f", a, sinfo_args=(R.Tensor((n,), "float32"),))
        with R.dataflow():
            c = R.exp(b)
            R.output(c)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            R.output(a)
        b: R.Tensor((n,), dtype="float32") = R.call_packed("f", a, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        with R.dataflow():
            c: R.Tensor((n,), dtype="float32") = R.exp(b)
            R.output(c)
        return c
