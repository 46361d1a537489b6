# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# A tied embedding is gathered from the layout that the product reads.

@I.ir_module
class Module:
    @R.function
    def main(ids: R.Tensor(("n",), "int32"), w: R.Tensor((20, 40), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w"]})
        with R.dataflow():
            d = R.rx.dequantize(w, format="q4_1")
            x = R.take(d, ids, axis=0)
            y = R.einsum((x, d), subscripts="ay,zy->az")
            b = R.take(w, ids, axis=0)
            z = R.rx.dequantize(b, format="q4_1")
            R.output(y, z)
        return (y, z)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(ids: R.Tensor(("n",), dtype="int32"), w: R.Tensor((20, 40), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 20), dtype="float32"), R.Tensor(("n", 64), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w"]})
        with R.dataflow():
            lv: R.Tensor((2, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(w, format="q4_1")
            lv1: R.Tensor((2, 2, 2, 16), dtype="uint16") = R.rx.pack_scales(w, format="q4_1")
            lv2: R.Tensor((n, 64), dtype="float32") = R.rx.packed_take(lv, lv1, ids, rows=20, format="q4_1")
            lv3: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="float32")) = R.rx.quantize_int8(lv2, unit=32, low=0, turns=0, epsilon=1e-05, gate="none")
            lv4: R.Tensor((n, 16), dtype="int32") = lv3[0]
            lv5: R.Tensor((n, 2), dtype="float32") = lv3[1]
            lv6: R.Tensor((n, 2), dtype="float32") = lv3[2]
            lv7: R.Tensor((n, 20), dtype="float32") = R.rx.packed_matmul(lv4, lv5, lv6, lv, lv1, columns=20, format="q4_1")
            lv8: R.Tensor((n, 64), dtype="float32") = R.rx.packed_take(lv, lv1, ids, rows=20, format="q4_1")
            R.output(lv7, lv8)
        return (lv7, lv8)
