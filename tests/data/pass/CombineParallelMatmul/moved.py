# A right factor that is computed later moves forward.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            a1 = R.exp(a)
            w2 = R.exp(w1)
            b = R.matmul(x, w2)
            R.output(a1, b)
        return (a1, b)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((4, 2), dtype="float32")):
        with R.dataflow():
            w2: R.Tensor((8, 2), dtype="float32") = R.exp(w1)
            lv: R.Tensor((8, 8), dtype="float32") = R.concat((w0, w2), axis=1)
            lv1: R.Tensor((4, 8), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((4, 2), dtype="float32")) = R.split(lv1, indices_or_sections=[6], axis=1)
            a: R.Tensor((4, 6), dtype="float32") = lv2[0]
            a1: R.Tensor((4, 6), dtype="float32") = R.exp(a)
            b: R.Tensor((4, 2), dtype="float32") = lv2[1]
            R.output(a1, b)
        return (a1, b)
