# A right factor that depends on another branch.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), w0: R.Tensor((8, 8), "float32"), w1: R.Tensor((8, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = R.exp(a)
            R.output(b, c)
        return (b, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32"), w0: R.Tensor((8, 8), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor((8, 2), dtype="float32"), R.Tensor((8, 8), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((8, 10), dtype="float32") = R.concat((w0, w1), axis=1)
            lv1: R.Tensor((8, 10), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((8, 8), dtype="float32"), R.Tensor((8, 2), dtype="float32")) = R.split(lv1, indices_or_sections=[8], axis=1)
            a: R.Tensor((8, 8), dtype="float32") = lv2[0]
            b: R.Tensor((8, 2), dtype="float32") = lv2[1]
            c: R.Tensor((8, 8), dtype="float32") = R.exp(a)
            R.output(b, c)
        return (b, c)
