# What depends on a parameter stays.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.add(x, R.const(1.0, "float32"))
            b = R.add(a, R.const(1.0, "float32"))
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.add(x, R.const(1.0, "float32"))
            b: R.Tensor((n,), dtype="float32") = R.add(a, R.const(1.0, "float32"))
            R.output(b)
        return b
