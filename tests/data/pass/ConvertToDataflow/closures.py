# Local functions may stand in a block; their bodies are converted as well.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        @R.function
        def f(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            u = R.exp(z)
            w = R.exp(u)
            return w
        h = f(x)
        i = R.exp(h)
        return i
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        with R.dataflow():
            
            @R.function
            def f(z: R.Tensor((k,), dtype="float32")) -> R.Tensor((k,), dtype="float32"):
                with R.dataflow():
                    u: R.Tensor((k,), dtype="float32") = R.exp(z)
                    w: R.Tensor((k,), dtype="float32") = R.exp(u)
                    R.output(w)
                return w

            h: R.Tensor((n,), dtype="float32") = f(x)
            i: R.Tensor((n,), dtype="float32") = R.exp(h)
            R.output(i)
        return i
