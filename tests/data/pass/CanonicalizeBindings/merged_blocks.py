# Neighbouring blocks are one; what only passes between them is no output.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            w = R.add(x, x)
            R.output(w)
        with R.dataflow():
            v = R.add(w, w)
            R.output(v)
        with R.dataflow():
            v1 = v
            R.output(v1)
        return v1
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            w: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            v1: R.Tensor((n, 4), dtype="float32") = R.add(w, w)
            R.output(v1)
        return v1
