# Other dtypes than float32, from one compilation.

@I.ir_module
class Module:
    @R.function
    def halves(x: R.Tensor(("n", 5), "float16"), y: R.Tensor((5,), "bfloat16")):
        n = T.int64()
        a = R.add(x, x)
        b = R.astype(y, "float32")
        c = R.astype(b, "float16")
        d = R.multiply(a, c)
        return (d, b)

    @R.function
    def integers(x: R.Tensor(("n",), "int8"), y: R.Tensor(("n",), "uint8"), z: R.Tensor(("n",), "int32")):
        n = T.int64()
        a = R.add(x, x)
        b = R.maximum(y, y)
        c = R.multiply(z, z)
        d = R.greater(z, c)
        e = R.astype(a, "int64")
        return (a, b, c, d, e)

    @R.function
    def doubles(x: R.Tensor(("n", 3), "float64")) -> R.Tensor((3,), "float64"):
        n = T.int64()
        a = R.sum(x, axis=[0])
        return a
