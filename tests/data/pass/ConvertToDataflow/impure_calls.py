# Calls of functions with effects.
@I.ir_module
class Module:
    @R.function(private=True, pure=False)
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        a = R.call_packed("f", x, sinfo_args=(R.Tensor((n,), "float32"),))
        return a

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        a = R.exp(x)
        b = R.exp(a)
        c = cls.g(b)
        d = R.exp(c)
        e = R.exp(d)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False, private=True)
    def g(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.call_packed("f", x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return a

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            b: R.Tensor((n,), dtype="float32") = R.exp(a)
            R.output(b)
        c: R.Tensor((n,), dtype="float32") = cls.g(b)
        with R.dataflow():
            d: R.Tensor((n,), dtype="float32") = R.exp(c)
            e: R.Tensor((n,), dtype="float32") = R.exp(d)
            R.output(e)
        return e
