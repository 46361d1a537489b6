# All that is bound is an output.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tuple(R.Tensor(("n", "m"), "float32"), R.Tensor(("m", "n"), "float32"), R.Tensor(("n * m",), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a = R.exp(x)
            b = R.permute_dims(a, axes=[1, 0])
            c = R.reshape(a, R.shape([n * m]))
            R.output(a, b, c)
        return (a, b, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tuple(R.Tensor(("n", "m"), dtype="float32"), R.Tensor(("m", "n"), dtype="float32"), R.Tensor(("n * m",), dtype="float32")):
        n = T.int64()
        m = T.int64()
        a: R.Tensor((n, m), dtype="float32") = R.exp(x)
        b: R.Tensor((m, n), dtype="float32") = R.permute_dims(a, axes=[1, 0])
        c: R.Tensor((n * m,), dtype="float32") = R.reshape(a, R.shape([n * m]))
        return (a, b, c)
