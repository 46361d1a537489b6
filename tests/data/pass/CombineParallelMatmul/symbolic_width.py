# A symbolic width goes last.
# DIFFERS: the deduced width of the joined factor is spelled m + 4 here, 4 + m in TVM
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w0: R.Tensor((8, "m"), "float32"), w1: R.Tensor((8, 2), "float32"), w2: R.Tensor((8, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = R.matmul(x, w2)
            R.output(a, b, c)
        return (a, b, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w0: R.Tensor((8, "m"), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32"), w2: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor((4, "m"), dtype="float32"), R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 2), dtype="float32")):
        m = T.int64()
        with R.dataflow():
            lv: R.Tensor((8, 4 + m), dtype="float32") = R.concat((w1, w2, w0), axis=1)
            lv1: R.Tensor((4, 4 + m), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 2), dtype="float32"), R.Tensor((4, m), dtype="float32")) = R.split(lv1, indices_or_sections=[2, 4], axis=1)
            a: R.Tensor((4, m), dtype="float32") = lv2[2]
            b: R.Tensor((4, 2), dtype="float32") = lv2[0]
            c: R.Tensor((4, 2), dtype="float32") = lv2[1]
            R.output(a, b, c)
        return (a, b, c)
