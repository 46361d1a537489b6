# RUN: relax opt --pass CombineParallelMatmul %s
# Three branches.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32"), w2: R.Tensor((8, 3), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = R.matmul(x, w2)
            d = R.exp(a)
            R.output(b, c, d)
        return (b, c, d)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32"), w2: R.Tensor((8, 3), dtype="float32")) -> R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 6), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((8, 11), dtype="float32") = R.concat((w0, w1, w2), axis=1)
            lv1: R.Tensor((4, 11), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32")) = R.split(lv1, indices_or_sections=[6, 8], axis=1)
            a: R.Tensor((4, 6), dtype="float32") = lv2[0]
            b: R.Tensor((4, 2), dtype="float32") = lv2[1]
            c: R.Tensor((4, 3), dtype="float32") = lv2[2]
            d: R.Tensor((4, 6), dtype="float32") = R.exp(a)
            R.output(b, c, d)
        return (b, c, d)
