# Functions that call each other.
@I.ir_module
class Module:
    @R.function
    def even(x: R.Tensor((), "bool"), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        if x:
            r: R.Tensor((n,), "float32") = y
        else:
            r: R.Tensor((n,), "float32") = cls.odd(x, R.exp(y))
        return r

    @R.function
    def odd(x: R.Tensor((), "bool"), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        r: R.Tensor((n,), "float32") = cls.even(x, R.negative(y))
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def even(x: R.Tensor((), dtype="bool"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        if x:
            r: R.Tensor((n,), dtype="float32") = y
        else:
            gv1: R.Tensor((n,), dtype="float32") = R.exp(y)
            r_else: R.Tensor((n,), dtype="float32") = cls.odd(x, gv1)
            r: R.Tensor((n,), dtype="float32") = r_else
        return r

    @R.function
    def odd(x: R.Tensor((), dtype="bool"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        gv: R.Tensor((n,), dtype="float32") = R.negative(y)
        r: R.Tensor((n,), dtype="float32") = cls.even(x, gv)
        return r
