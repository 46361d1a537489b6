# RUN: relax opt --pass RemoveUnusedOutputs %s
# Some fields.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32")):
        a = R.exp(z)
        b = R.exp(a)
        c = R.exp(b)
        return (a, b, c)

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        with R.dataflow():
            t = cls.sub(x)
            a = t[0]
            c = t[2]
            R.output(a, c)
        return (a, c)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        b: R.Tensor((n,), dtype="float32") = R.exp(a)
        c: R.Tensor((n,), dtype="float32") = R.exp(b)
        return (a, c)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.sub(x)
            a: R.Tensor((n,), dtype="float32") = t[0]
            c: R.Tensor((n,), dtype="float32") = t[1]
            R.output(a, c)
        return (a, c)
