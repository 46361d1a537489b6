# A tuple and its items in a block.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tuple(R.Tensor(("n", 2), "float32"), R.Tensor(("n", 2), "float32")):
        n = T.int64()
        with R.dataflow():
            t = R.split(x, 2, axis=1)
            a = t[0]
            b = R.exp(a)
            u = (b, t[1])
            R.output(u)
        return u
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 2), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        t: R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = R.split(x, indices_or_sections=2, axis=1)
        a: R.Tensor((n, 2), dtype="float32") = t[0]
        b: R.Tensor((n, 2), dtype="float32") = R.exp(a)
        lv3: R.Tensor((n, 2), dtype="float32") = t[1]
        u: R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = b, lv3
        return u
