# What any call looks at.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")):
        a = R.exp(z)
        b = R.exp(a)
        c = R.exp(b)
        return (a, b, c)

    @R.function
    def one(x: R.Tensor(("n",), "float32")):
        cls = Module
        t = cls.sub(x)
        d = t[1]
        return d

    @R.function
    def two(x: R.Tensor(("n",), "float32")):
        cls = Module
        t = cls.sub(x)
        d = t[2]
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def one(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        gv: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.sub(x)
        gv1: R.Tensor((n,), dtype="float32") = gv[0]
        return gv1

    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        b: R.Tensor((n,), dtype="float32") = R.exp(a)
        c: R.Tensor((n,), dtype="float32") = R.exp(b)
        return (b, c)

    @R.function
    def two(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        gv3: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.sub(x)
        gv5: R.Tensor((n,), dtype="float32") = gv3[1]
        return gv5
