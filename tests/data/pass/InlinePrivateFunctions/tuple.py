# A tuple as argument and as result.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(t: R.Tuple(R.Tensor(("k",), "float32"), R.Tensor(("k",), "float32"))) -> R.Tuple(R.Tensor(("k",), "float32"), R.Tensor(("k",), "float32")):
        a = t[0]
        b = t[1]
        c = R.add(a, b)
        return (c, a)

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        d = cls.sub((x, x))
        e = d[0]
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        c: R.Tensor((n,), dtype="float32") = R.add(x, x)
        return c
