# Dims before the one that binds their symbol, shapes, scalars, nested tuples, private functions, views, match_cast.

@I.ir_module
class Module:
    @R.function(private=True)
    def twice(a: R.Tensor(("k", "m"), "float32")) -> R.Tensor(("k", "m"), "float32"):
        k = T.int64()
        m = T.int64()
        b = R.add(a, a)
        return b

    @R.function
    def late(a: R.Tensor(("n + 1", 2), "float32"), b: R.Tensor(("n",), "float32")) -> R.Tensor(("n + 1", 2), "float32"):
        n = T.int64()
        c = R.multiply(a, R.const(3.0, "float32"))
        return c

    @R.function
    def tuples(t: R.Tuple(R.Tensor(("n", 2), "float32"), R.Tuple(R.Tensor(("n",), "float32"), R.Shape(["n", "k"])))):
        n = T.int64()
        k = T.int64()
        cls = Module
        a = t[0]
        inner = t[1]
        b = inner[0]
        c = cls.twice(a)
        d = R.reshape(c, R.shape([2, n]))
        e = R.exp(b)
        f = (d, (e, R.shape([n + k, n * 2])))
        return f

    @R.function
    def coarse(x: R.Tensor(dtype="float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):
        p = T.int64()
        q = T.int64()
        y = R.match_cast(x, R.Tensor((p, q), "float32"))
        z = R.permute_dims(y, [1, 0])
        return z

    @R.function
    def scalars(x: R.Tensor(("n",), "float32"), s: R.Shape(["n", "w"])):
        n = T.int64()
        w = T.int64()
        y = R.add(x, R.const(1.0, "float32"))
        return (y, R.prim_value(n * 2 + w), R.shape([w, n]))

    @R.function
    def choice(c: R.Tensor((), "bool"), x: R.Tensor(("n", 3), "float32")) -> R.Tensor(("n", 3), "float32"):
        n = T.int64()
        cls = Module
        a = R.exp(x)
        if c:
            b = R.multiply(a, a)
            d = cls.twice(b)
            e = d
        else:
            g = R.negative(a)
            e = R.add(g, x)
        f = R.multiply(e, a)
        return f
