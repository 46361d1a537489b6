# A local function with a dataflow block.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), w: R.Tensor(("n",), "float32")):
        n = T.int64()
        @R.function
        def f(z: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            with R.dataflow():
                u = R.add(z, w)
                v = R.exp(u)
                R.output(v)
            return v
        a = f(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor(("n",), dtype="float32"), w: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            u: R.Tensor((n,), dtype="float32") = R.add(z, w)
            v: R.Tensor((n,), dtype="float32") = R.exp(u)
            R.output(v)
        return v

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), w: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        f: R.Object = R.make_closure(cls.main_f, (w,))
        a: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(f, (x,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return a
