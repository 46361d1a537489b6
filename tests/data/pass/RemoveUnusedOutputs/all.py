# All fields are used.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")):
        a = R.exp(z)
        b = R.exp(a)
        return (a, b)

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        t = cls.sub(x)
        d = t[1]
        e = t[0]
        return (d, e)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        b: R.Tensor((n,), dtype="float32") = R.exp(a)
        return (a, b)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.sub(x)
        d: R.Tensor((n,), dtype="float32") = t[1]
        e: R.Tensor((n,), dtype="float32") = t[0]
        return (d, e)
