# Unused chains and outputs go.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.add(x, x)
            b = R.exp(a)
            c = R.exp(b)
            z = R.negative(x)
            R.output(c, a, z)
        d = R.exp(c)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            z: R.Tensor((n,), dtype="float32") = R.negative(x)
            R.output(z)
        return z
