# Nested calls get names of their own.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            a = R.exp(R.exp(x))
            R.output(a)
        c = (R.exp(x), (R.exp(a), a))
        return (c[1][0], R.exp(a))
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            a: R.Tensor((n, 4), dtype="float32") = R.exp(lv)
            R.output(a)
        gv: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        gv1: R.Tensor((n, 4), dtype="float32") = R.exp(a)
        c: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32"))) = gv, (gv1, a)
        gv3: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = c[1]
        gv4: R.Tensor((n, 4), dtype="float32") = gv3[0]
        gv5: R.Tensor((n, 4), dtype="float32") = R.exp(a)
        return (gv4, gv5)
