# RUN: relax opt --pass RemoveUnusedParameters %s
# A symbol that only a removed parameter gave.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor(("m",), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.zeros(R.shape([m]), "float32")
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def sub(param_m: R.Prim(value="m")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        a: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        b: R.Tensor((m,), dtype="float32") = cls.sub(R.prim_value(m))
        return b
