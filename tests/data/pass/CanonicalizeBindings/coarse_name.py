# A name whose annotation says less than the value's.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        z: R.Tensor(ndim=2) = x
        with R.dataflow():
            w = R.add(x, x)
            R.output(w)
        return (z, w)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            w: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            R.output(w)
        return (x, w)
