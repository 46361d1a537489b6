# Fields that are no tensors.
# DIFFERS: TVM builds the old tuple to take items from it; ours takes the fields
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tuple(R.Shape(["n"]), R.Tensor(("n",), "float32"), R.Prim(value="n")):
        n = T.int64()
        a = R.exp(z)
        return (R.shape([n]), a, R.prim_value(n))

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        t = cls.sub(x)
        d = t[0]
        e = t[1]
        return (d, e)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Shape(["n"]), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.exp(z)
        previous_outputs: R.Tuple(R.Shape([n]), R.Tensor((n,), dtype="float32"), R.Prim(value=n)) = R.shape([n]), a, R.prim_value(n)
        gv3: R.Shape([n]) = previous_outputs[0]
        return (gv3, a)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Shape(["n"]), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        gv: R.Tuple(R.Shape([n]), R.Tensor((n,), dtype="float32")) = cls.sub(x)
        gv1: R.Shape([n]) = gv[0]
        gv2: R.Tensor((n,), dtype="float32") = gv[1]
        return (gv1, gv2)
