# A name of a constant.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "float32")):
        with R.dataflow():
            k = R.const(3.0, "float32")
            g = R.add(k, x)
            R.output(g)
        return g
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            g: R.Tensor((), dtype="float32") = R.add(R.const(3.0, "float32"), x)
            R.output(g)
        return g
