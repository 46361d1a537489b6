# Dims of a signature without the quotes that TVM demands there: names introduce symbols all the same, and quotes are printed.
# RUN: relax fmt --canonical %s
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((n, 4), "float32"), s: R.Shape([n + 1])) -> R.Tensor((n, 4), "float32"):
        n = T.int64()
        y = R.exp(x)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape(["n + 1"])) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        y: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        return y
