# Tuples and items.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        a = R.exp(x)
        b = R.negative(x)
        t = (a, b)
        u = (t, a)
        c = t[0]
        d = u[1]
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(x)
        b: R.Tensor((n,), dtype="float32") = R.negative(x)
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = a, b
        c: R.Tensor((n,), dtype="float32") = t[0]
        return c
