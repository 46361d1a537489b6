# Operators of constants, and what depends on them.
# NUMBERS
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "float32")):
        with R.dataflow():
            d = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))
            e = R.multiply(d, R.const(4.0, "float32"))
            k = R.const(3.0, "float32")
            f = R.add(e, k)
            g = R.add(f, x)
            R.output(g)
        return g
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            g: R.Tensor((), dtype="float32") = R.add(R.const(15.0, "float32"), x)
            R.output(g)
        return g
