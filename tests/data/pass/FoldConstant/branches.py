# Inside of branches.
# DIFFERS: TVM does not look into branches
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "float32"), c: R.Tensor((), "bool")):
        if c:
            a = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))
            b = R.add(a, x)
        else:
            b = x
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
        if c:
            a: R.Tensor((), dtype="float32") = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))
            b_then: R.Tensor((), dtype="float32") = R.add(a, x)
            b: R.Tensor((), dtype="float32") = b_then
        else:
            b: R.Tensor((), dtype="float32") = x
        return b
