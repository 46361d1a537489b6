# A local function with a block of its own.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        @R.function
        def local(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            k = T.int64()
            with R.dataflow():
                a = R.exp(y)
                b = R.add(a, a)
                R.output(b)
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
            a: R.Tensor((k,), dtype="float32") = R.exp(y)
            b: R.Tensor((k,), dtype="float32") = R.add(a, a)
            return b

        z: R.Tensor((n,), dtype="float32") = local(x)
        return z
