# A local function has no name outside.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        @R.function
        def local(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            k = T.int64()
            b = R.exp(y)
            return b
        z = local(x)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        
        @R.function
        def local(y: R.Tensor((k,), dtype="float32")) -> R.Tensor((k,), dtype="float32"):
            b: R.Tensor((k,), dtype="float32") = R.exp(y)
            return b

        z: R.Tensor((n,), dtype="float32") = local(x)
        return z
