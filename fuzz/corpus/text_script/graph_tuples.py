@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), t: R.Tuple(R.Tensor(("n",), "float32"), R.Tuple(R.Tensor((2,), "int32"), R.Shape(["n"])))):
        n = T.int64()
        a = (x, x)
        b = a[0]
        c = t[1]
        d = c[0]
        e = (b, d, (x, b))
        g = R.add(a[0], t[0])
        h = (g,)
        i = R.tuple()
        j = R.tuple(x, g)
        return (e, h, j, t[1])
