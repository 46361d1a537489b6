# Tensors that are created, and computed with.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "float32")):
        with R.dataflow():
            z = R.zeros(R.shape([]), "float32")
            y = R.add(z, R.const(2.0, "float32"))
            w = R.add(x, y)
            R.output(w)
        return w
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            w: R.Tensor((), dtype="float32") = R.add(x, R.const(2.0, "float32"))
            R.output(w)
        return w
