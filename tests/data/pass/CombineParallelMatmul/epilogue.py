# Biases and activations that all branches have.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w0: R.Tensor((8, 6), "float32"), w1: R.Tensor((8, 2), "float32"), b0: R.Tensor((6,), "float32"), b1: R.Tensor((2,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            a1 = R.add(a, b0)
            a2 = R.nn.relu(a1)
            b = R.matmul(x, w1)
            b2 = R.add(b, b1)
            b3 = R.nn.relu(b2)
            R.output(a2, b3)
        return (a2, b3)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w0: R.Tensor((8, 6), dtype="float32"), w1: R.Tensor((8, 2), dtype="float32"), b0: R.Tensor((6,), dtype="float32"), b1: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor(("n", 6), dtype="float32"), R.Tensor(("n", 2), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((8, 8), dtype="float32") = R.concat((w0, w1), axis=1)
            lv1: R.Tensor((n, 8), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tensor((8,), dtype="float32") = R.concat((b0, b1), axis=0)
            lv3: R.Tensor((n, 8), dtype="float32") = R.add(lv1, lv2)
            lv4: R.Tensor((n, 8), dtype="float32") = R.nn.relu(lv3)
            lv5: R.Tuple(R.Tensor((n, 6), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = R.split(lv4, indices_or_sections=[6], axis=1)
            a2: R.Tensor((n, 6), dtype="float32") = lv5[0]
            b3: R.Tensor((n, 2), dtype="float32") = lv5[1]
            R.output(a2, b3)
        return (a2, b3)
