# Calls of pure functions and packed ones.
@I.ir_module
class Module:
    @R.function(private=True)
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        a = cls.g(x)
        b = R.call_pure_packed("f", a, sinfo_args=(R.Tensor((n,), "float32"),))
        c = R.call_dps_packed("f", (b,), out_sinfo=R.Tensor((n,), "float32"))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def g(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        return x

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = cls.g(x)
            b: R.Tensor((n,), dtype="float32") = R.call_pure_packed("f", a, sinfo_args=(R.Tensor((n,), dtype="float32"),))
            c = R.call_dps_packed("f", (b,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(c)
        return c
