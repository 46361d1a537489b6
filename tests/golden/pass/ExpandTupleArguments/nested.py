# RUN: relax opt --pass ExpandTupleArguments %s
# A tuple in a tuple.
@I.ir_module
class Module:
    @R.function(private=True)
    def nest(z: R.Tuple(R.Tuple(R.Tensor(("n",), "float32")), R.Tensor(("n",), "float32"))) -> R.Tensor(("n",), "float32"):
        a = z[0]
        b = a[0]
        return b

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        c = cls.nest(((x,), y))
        return c
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def nest(z_0_0: R.Tensor(("n",), dtype="float32"), z_1: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        return z_0_0

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        c: R.Tensor((n,), dtype="float32") = cls.nest(x, y)
        return c
