# Fields of tuples.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "float32")):
        with R.dataflow():
            a = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))
            t = (a, x)
            R.output(t)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            t: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = R.const(3.0, "float32"), x
            R.output(t)
        return t
