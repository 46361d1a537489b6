# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# Matrices of experts are packed under each other; where their rows are no whole groups of 16, or without data, they are not.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), e: R.Tensor(("n", 2), "int32"), w: R.Tensor((3, 32, 36), "uint8"), v: R.Tensor((3, 24, 36), "uint8"), u: R.Tensor((3, 64, 18), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w", "v"]})
        with R.dataflow():
            d = R.rx.dequantize(w, format="q4_0")
            y = R.rx.grouped_matmul(x, d, e)
            d2 = R.rx.dequantize(v, format="q4_0")
            z = R.rx.grouped_matmul(x, d2, e)
            d3 = R.rx.dequantize(u, format="q4_0")
            h = R.rx.grouped_matmul(y, d3, e)
            R.output(z, h)
        return (z, h)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), dtype="float32"), e: R.Tensor(("n", 2), dtype="int32"), w: R.Tensor((3, 32, 36), dtype="uint8"), v: R.Tensor((3, 24, 36), dtype="uint8"), u: R.Tensor((3, 64, 18), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 2, 24), dtype="float32"), R.Tensor(("n", 2, 64), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w", "v"]})
        with R.dataflow():
            lv: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv1: R.Tensor((n, 16), dtype="int32") = lv[0]
            lv2: R.Tensor((n, 2), dtype="float32") = lv[1]
            lv3: R.Tensor((n, 2), dtype="int32") = lv[2]
            lv4: R.Tensor((96, 36), dtype="uint8") = R.reshape(w, R.shape([96, 36]))
            lv5: R.Tensor((6, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(lv4, format="q4_0")
            lv6: R.Tensor((6, 2, 16), dtype="float16") = R.rx.pack_scales(lv4, format="q4_0")
            lv7: R.Tensor((n, 2, 32), dtype="float32") = R.rx.packed_grouped_matmul(lv1, lv2, lv3, lv5, lv6, e, columns=32, format="q4_0")
            d2: R.Tensor((3, 24, 64), dtype="float32") = R.rx.dequantize(v, format="q4_0", dtype="float32")
            z: R.Tensor((n, 2, 24), dtype="float32") = R.rx.grouped_matmul(x, d2, e)
            d3: R.Tensor((3, 64, 32), dtype="float32") = R.rx.dequantize(u, format="q4_0", dtype="float32")
            h: R.Tensor((n, 2, 64), dtype="float32") = R.rx.grouped_matmul(lv7, d3, e)
            R.output(z, h)
        return (z, h)
