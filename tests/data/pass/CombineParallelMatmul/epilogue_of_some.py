# A bias that not all have stays after the split.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32"), w2: R.Tensor((8, 2), "float32"), b0: R.Tensor((6,), "float32"), b1: R.Tensor((2,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            a1 = R.add(a, b0)
            a2 = R.nn.gelu(a1)
            b = R.matmul(x, w1)
            b2 = R.add(b, b1)
            c = R.matmul(x, w2)
            R.output(a2, b2, c)
        return (a2, b2, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32"), w2: R.Tensor((8, 2), dtype="float32"), b0: R.Tensor((6,), dtype="float32"), b1: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor(("n", 6), dtype="float32"), R.Tensor(("n", 2), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((8, 10), dtype="float32") = R.concat((w0, w1, w2), axis=1)
            lv1: R.Tensor((n, 10), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((n, 6), dtype="float32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = R.split(lv1, indices_or_sections=[6, 8], axis=1)
            a: R.Tensor((n, 6), dtype="float32") = lv2[0]
            a1: R.Tensor((n, 6), dtype="float32") = R.add(a, b0)
            a2: R.Tensor((n, 6), dtype="float32") = R.nn.gelu(a1)
            b: R.Tensor((n, 2), dtype="float32") = lv2[1]
            b2: R.Tensor((n, 2), dtype="float32") = R.add(b, b1)
            c: R.Tensor((n, 2), dtype="float32") = lv2[2]
            R.output(a2, b2, c)
        return (a2, b2, c)
