# A comma behind the last parameter goes; one that makes a tuple stays.
# RUN: relax fmt %s
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"),) -> R.Tensor((4,), dtype="float32"):
        y = (x,)
        return y[0]
# WANT:
# A comma behind the last parameter goes; one that makes a tuple stays.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y = (x,)
        return y[0]
