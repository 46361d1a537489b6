# A tuple between other parameters.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(a: R.Tensor(("n",), "float32"), z: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")), b: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        c = z[0]
        d = z[1]
        e = R.add(a, c)
        f = R.add(e, d)
        g = R.add(f, b)
        return g

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        c = cls.sub(x, (y, x), y)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(a: R.Tensor(("n",), dtype="float32"), z_0: R.Tensor(("n",), dtype="float32"), z_1: R.Tensor(("n",), dtype="float32"), b: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        e: R.Tensor((n,), dtype="float32") = R.add(a, z_0)
        f: R.Tensor((n,), dtype="float32") = R.add(e, z_1)
        g: R.Tensor((n,), dtype="float32") = R.add(f, b)
        return g

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        c: R.Tensor((n,), dtype="float32") = cls.sub(x, y, x, y)
        return c
