# A cast in a block defines a symbol for what follows it.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor(ndim=2, dtype="float32"):
        with R.dataflow():
            k = T.int64()
            y = R.match_cast(x, R.Tensor((k, 4), "float32"))
            z = R.add(y, y)
            R.output(z)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):
        k = T.int64()
        y: R.Tensor((k, 4), dtype="float32") = R.match_cast(x, R.Tensor((k, 4), dtype="float32"))
        z: R.Tensor((k, 4), dtype="float32") = R.add(y, y)
        return z
