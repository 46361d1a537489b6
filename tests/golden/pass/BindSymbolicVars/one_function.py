# RUN: relax opt --pass 'BindSymbolicVars:binding_map={n: 16};func_name=main' %s
# Only one function changes.
@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return z

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        a = R.exp(x)
        return a
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def sub(z: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        return z

    @R.function
    def main(x: R.Tensor((16, "m"), dtype="float32")) -> R.Tensor((16, "m"), dtype="float32"):
        m = T.int64()
        a: R.Tensor((16, m), dtype="float32") = R.exp(x)
        return a
