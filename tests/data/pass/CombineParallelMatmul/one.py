# One branch stays.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(y, w1)
            R.output(a, b)
        return (a, b)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), y: R.Tensor(("n", 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor(("n", 6), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 6), dtype="float32") = R.matmul(x, w0, out_dtype="void")
            b: R.Tensor((n, 2), dtype="float32") = R.matmul(y, w1, out_dtype="void")
            R.output(a, b)
        return (a, b)
