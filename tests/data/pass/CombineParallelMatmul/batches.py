# Factors of several ranks; vectors stay.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 8), "float32"), y: R.Tensor((4, 8), "float32"), w0: R.Tensor((2, 8, 6), "float32"), w1: R.Tensor((2, 8, 2), "float32"), w2: R.Tensor((8, 3), "float32"), w3: R.Tensor((8, 5), "float32"), w4: R.Tensor((8,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = R.matmul(x, w2)
            d = R.matmul(x, w3)
            e = R.matmul(y, w2)
            f = R.matmul(x, w4)
            R.output(a, b, c, d, e, f)
        return (a, b, c, d, e, f)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 8), dtype="float32"), y: R.Tensor((4, 8), dtype="float32"), w0: R.Tensor((2, 8, 6), dtype="float32"), w1: R.Tensor((2, 8, 2), dtype="float32"), w2: R.Tensor((8, 3), dtype="float32"), w3: R.Tensor((8, 5), dtype="float32"), w4: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((2, 4, 6), dtype="float32"), R.Tensor((2, 4, 2), dtype="float32"), R.Tensor((2, 4, 3), dtype="float32"), R.Tensor((2, 4, 5), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 8, 8), dtype="float32") = R.concat((w0, w1), axis=2)
            lv1: R.Tensor((2, 4, 8), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((2, 4, 6), dtype="float32"), R.Tensor((2, 4, 2), dtype="float32")) = R.split(lv1, indices_or_sections=[6], axis=2)
            a: R.Tensor((2, 4, 6), dtype="float32") = lv2[0]
            b: R.Tensor((2, 4, 2), dtype="float32") = lv2[1]
            lv3: R.Tensor((8, 8), dtype="float32") = R.concat((w2, w3), axis=1)
            lv4: R.Tensor((2, 4, 8), dtype="float32") = R.matmul(x, lv3, out_dtype="float32")
            lv5: R.Tuple(R.Tensor((2, 4, 3), dtype="float32"), R.Tensor((2, 4, 5), dtype="float32")) = R.split(lv4, indices_or_sections=[3], axis=2)
            c: R.Tensor((2, 4, 3), dtype="float32") = lv5[0]
            d: R.Tensor((2, 4, 5), dtype="float32") = lv5[1]
            e: R.Tensor((4, 3), dtype="float32") = R.matmul(y, w2, out_dtype="void")
            f: R.Tensor((2, 4), dtype="float32") = R.matmul(x, w4, out_dtype="void")
            R.output(a, b, c, d, e, f)
        return (a, b, c, d, e, f)
