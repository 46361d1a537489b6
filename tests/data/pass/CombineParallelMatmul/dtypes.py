# Results of other dtypes.
# DIFFERS: TVM gives all branches the dtype of the first and annotates the others wrongly; ours joins equal dtypes
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32"), w2: R.Tensor((8, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0, out_dtype="float16")
            b = R.matmul(x, w1)
            c = R.matmul(x, w2)
            R.output(a, b, c)
        return (a, b, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32"), w2: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor(("n", 6), dtype="float16"), R.Tensor(("n", 2), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((8, 10), dtype="float32") = R.concat((w0, w1, w2), axis=1)
            lv1: R.Tensor((n, 10), dtype="float16") = R.matmul(x, lv, out_dtype="float16")
            lv2: R.Tuple(R.Tensor((n, 6), dtype="float16"), R.Tensor((n, 2), dtype="float16"), R.Tensor((n, 2), dtype="float16")) = R.split(lv1, indices_or_sections=[6, 8], axis=1)
            a: R.Tensor((n, 6), dtype="float16") = lv2[0]
            b: R.Tensor((n, 2), dtype="float32") = lv2[1]
            c: R.Tensor((n, 2), dtype="float32") = lv2[2]
            R.output(a, b, c)
        return (a, b, c)
