# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# Whole matrices of experts are taken from the weight itself: in the packed layout they lie under each other.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), e: R.Tensor(("n", 2), "int32"), w: R.Tensor((3, 32, 36), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w"]})
        with R.dataflow():
            d = R.rx.dequantize(w, format="q4_0")
            y = R.rx.grouped_matmul(x, d, e)
            t = R.take(d, R.const([2, 0]), axis=0)
            b = R.take(w, R.const([1]), axis=0)
            u = R.rx.dequantize(b, format="q4_0")
            R.output(y, t, u)
        return (y, t, u)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), dtype="float32"), e: R.Tensor(("n", 2), dtype="int32"), w: R.Tensor((3, 32, 36), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 2, 32), dtype="float32"), R.Tensor((2, 32, 64), dtype="float32"), R.Tensor((1, 32, 64), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w"]})
        with R.dataflow():
            d: R.Tensor((3, 32, 64), dtype="float32") = R.rx.dequantize(w, format="q4_0", dtype="float32")
            lv: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv1: R.Tensor((n, 16), dtype="int32") = lv[0]
            lv2: R.Tensor((n, 2), dtype="float32") = lv[1]
            lv3: R.Tensor((n, 2), dtype="int32") = lv[2]
            lv4: R.Tensor((96, 36), dtype="uint8") = R.reshape(w, R.shape([96, 36]))
            lv5: R.Tensor((6, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(lv4, format="q4_0")
            lv6: R.Tensor((6, 2, 16), dtype="float16") = R.rx.pack_scales(lv4, format="q4_0")
            lv7: R.Tensor((n, 2, 32), dtype="float32") = R.rx.packed_grouped_matmul(lv1, lv2, lv3, lv5, lv6, e, columns=32, format="q4_0")
            t: R.Tensor((2, 32, 64), dtype="float32") = R.take(d, R.const([2, 0], "int32"), axis=0, mode="fast")
            b: R.Tensor((1, 32, 36), dtype="uint8") = R.take(w, R.const([1], "int32"), axis=0, mode="fast")
            u: R.Tensor((1, 32, 64), dtype="float32") = R.rx.dequantize(b, format="q4_0", dtype="float32")
            R.output(lv7, t, u)
        return (lv7, t, u)
