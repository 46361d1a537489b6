# A local function's body is a body of its own.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        @R.function
        def f(y: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m", 4), "float32"):
            with R.dataflow():
                z = R.exp(y)
                R.output(z)
            with R.dataflow():
                w = R.exp(z)
                R.output(w)
            return w
        r = f(x)
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        m = T.int64()
        
        @R.function
        def f(y: R.Tensor((m, 4), dtype="float32")) -> R.Tensor((m, 4), dtype="float32"):
            with R.dataflow():
                z: R.Tensor((m, 4), dtype="float32") = R.exp(y)
                w: R.Tensor((m, 4), dtype="float32") = R.exp(z)
                R.output(z, w)
            return w

        r: R.Tensor((n, 4), dtype="float32") = f(x)
        return r
