# A tuple written in the call, and one that is a variable.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        a = z[0]
        b = R.add(a, y)
        return b

    @R.function
    def main(x: R.Tensor(("n",), "float32"), t: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"))):
        cls = Module
        with R.dataflow():
            a = cls.sub((x, x), x)
            b = cls.sub(t, a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z_0: R.Tensor(("n",), dtype="float32"), z_1: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        b: R.Tensor((n,), dtype="float32") = R.add(z_0, y)
        return b

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), t: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = cls.sub(x, x, x)
            lv2: R.Tensor((n,), dtype="float32") = t[0]
            lv3: R.Tensor((n,), dtype="float32") = t[1]
            b: R.Tensor((n,), dtype="float32") = cls.sub(lv2, lv3, a)
            R.output(b)
        return b
