# Outside of dataflow blocks.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32")):
        a = R.matmul(x, w0)
        b = R.matmul(x, w1)
        return (a, b)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32")) -> R.Tuple(R.Tensor(("n", 6), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        gv: R.Tensor((8, 8), dtype="float32") = R.concat((w0, w1), axis=1)
        gv1: R.Tensor((n, 8), dtype="float32") = R.matmul(x, gv, out_dtype="float32")
        gv2: R.Tuple(R.Tensor((n, 6), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = R.split(gv1, indices_or_sections=[6], axis=1)
        a: R.Tensor((n, 6), dtype="float32") = gv2[0]
        b: R.Tensor((n, 2), dtype="float32") = gv2[1]
        return (a, b)
