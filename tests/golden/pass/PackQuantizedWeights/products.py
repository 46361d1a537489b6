# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# Both spellings of a product with a transpose; products of one left factor share its integers. v has no data: decoded.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w1: R.Tensor((48, 36), "uint8"), w2: R.Tensor((20, 68), "uint8"), v: R.Tensor((8, 36), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w1", "w2"]})
        with R.dataflow():
            d1 = R.rx.dequantize(w1, format="q4_0")
            lv1 = R.einsum((x, d1), subscripts="ay,zy->az")
            d2 = R.rx.dequantize(w2, format="q8_0")
            t2 = R.permute_dims(d2)
            lv2 = R.matmul(x, t2, out_dtype="float16")
            d3 = R.rx.dequantize(v, format="q4_0")
            lv3 = R.einsum((x, d3), subscripts="ay,zy->az")
            R.output(lv1, lv2, lv3)
        return (lv1, lv2, lv3)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), dtype="float32"), w1: R.Tensor((48, 36), dtype="uint8"), w2: R.Tensor((20, 68), dtype="uint8"), v: R.Tensor((8, 36), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 48), dtype="float32"), R.Tensor(("n", 20), dtype="float16"), R.Tensor(("n", 8), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w1", "w2"]})
        with R.dataflow():
            lv: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv1: R.Tensor((n, 16), dtype="int32") = lv[0]
            lv2: R.Tensor((n, 2), dtype="float32") = lv[1]
            lv3: R.Tensor((n, 2), dtype="int32") = lv[2]
            lv4: R.Tensor((3, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(w1, format="q4_0")
            lv5: R.Tensor((3, 2, 16), dtype="float16") = R.rx.pack_scales(w1, format="q4_0")
            lv6: R.Tensor((n, 48), dtype="float32") = R.rx.packed_matmul(lv1, lv2, lv3, lv4, lv5, columns=48, format="q4_0")
            lv7: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-128, turns=0, epsilon=1e-05, gate="none")
            lv8: R.Tensor((n, 16), dtype="int32") = lv7[0]
            lv9: R.Tensor((n, 2), dtype="float32") = lv7[1]
            lv10: R.Tensor((n, 2), dtype="int32") = lv7[2]
            lv11: R.Tensor((2, 2, 8, 16), dtype="uint32") = R.rx.pack_quants(w2, format="q8_0")
            lv12: R.Tensor((2, 2, 16), dtype="float16") = R.rx.pack_scales(w2, format="q8_0")
            lv13: R.Tensor((n, 20), dtype="float32") = R.rx.packed_matmul(lv8, lv9, lv10, lv11, lv12, columns=20, format="q8_0")
            lv14: R.Tensor((n, 20), dtype="float16") = R.astype(lv13, dtype="float16")
            d3: R.Tensor((8, 64), dtype="float32") = R.rx.dequantize(v, format="q4_0", dtype="float32")
            lv31: R.Tensor((n, 8), dtype="float32") = R.einsum((x, d3), subscripts="ay,zy->az")
            R.output(lv6, lv14, lv31)
        return (lv6, lv14, lv31)
