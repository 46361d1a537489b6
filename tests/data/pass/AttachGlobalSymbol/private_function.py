# A private function stays private.
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        a = R.exp(y)
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.helper(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def helper(y: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        a: R.Tensor((k,), dtype="float32") = R.exp(y)
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.helper(x)
        return a
