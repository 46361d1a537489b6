# Every call changes.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32"), w: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        a = R.exp(w)
        return a

    @R.function
    def one(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        c = cls.sub(y, x)
        return (b, c)

    @R.function
    def two(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def one(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tuple(R.Tensor(("m",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        m = T.int64()
        n = T.int64()
        cls = Module
        b: R.Tensor((m,), dtype="float32") = cls.sub(y)
        c: R.Tensor((n,), dtype="float32") = cls.sub(x)
        return (b, c)

    @R.function(private=True)
    def sub(w: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        a: R.Tensor((m,), dtype="float32") = R.exp(w)
        return a

    @R.function
    def two(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        n = T.int64()
        cls = Module
        b: R.Tensor((m,), dtype="float32") = cls.sub(y)
        return b
