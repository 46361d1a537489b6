# Integers and comparisons.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "int32")):
        with R.dataflow():
            a = R.add(R.const(3, "int32"), R.const(4, "int32"))
            b = R.multiply(a, R.const(2, "int32"))
            c = R.add(b, x)
            R.output(c)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):
        with R.dataflow():
            c: R.Tensor((), dtype="int32") = R.add(R.const(14, "int32"), x)
            R.output(c)
        return c
