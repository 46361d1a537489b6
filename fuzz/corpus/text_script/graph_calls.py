@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor(("n",), "float32"), s: R.Shape(["m"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        m = T.int64()
        y = R.add(x, x)
        return y

    @R.function(private=True, pure=False)
    def effect(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        y = R.print(x, format="value {}")
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        a = cls.helper(x, R.shape([4]))
        b = cls.effect(a)
        c = cls.helper(cls.helper(b, R.shape([1])), R.shape([2]))
        d = cls.helper
        return (a, c)
