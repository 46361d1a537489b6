# RUN: relax opt --pass TopologicalSort %s
# Each value is followed as far as it goes.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(y)
            c = R.negative(a)
            d = R.negative(b)
            e = R.add(c, d)
            z = R.exp(R.const(1.0, "float32"))
            R.output(e, z)
        return (e, z)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor((), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            c: R.Tensor((n,), dtype="float32") = R.negative(a)
            b: R.Tensor((n,), dtype="float32") = R.exp(y)
            d: R.Tensor((n,), dtype="float32") = R.negative(b)
            e: R.Tensor((n,), dtype="float32") = R.add(c, d)
            z: R.Tensor((), dtype="float32") = R.exp(R.const(1.0, "float32"))
            R.output(e, z)
        return (e, z)
