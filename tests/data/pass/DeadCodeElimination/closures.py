# Local functions and their bodies.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        @R.function
        def f(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            u = R.exp(z)
            return z
        @R.function
        def g(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            u = R.exp(z)
            w = R.exp(u)
            return u
        h = g(x)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        
        @R.function
        def g(z: R.Tensor((k,), dtype="float32")) -> R.Tensor((k,), dtype="float32"):
            u: R.Tensor((k,), dtype="float32") = R.exp(z)
            return u

        h: R.Tensor((n,), dtype="float32") = g(x)
        return h
