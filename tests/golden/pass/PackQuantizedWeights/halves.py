# RUN: relax opt --pass 'PackQuantizedWeights:activations=f16,DeadCodeElimination' %s
# Left factors with float16's precision, products in float32. v has no data: left alone.

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
            d1: R.Tensor((48, 64), dtype="float32") = R.rx.dequantize(w1, format="q4_0", dtype="float32")
            lv: R.Tensor((n, 64), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((n, 64), dtype="float32") = R.astype(lv, dtype="float32")
            lv11: R.Tensor((n, 48), dtype="float32") = R.einsum((lv1, d1), subscripts="ay,zy->az")
            d2: R.Tensor((20, 64), dtype="float32") = R.rx.dequantize(w2, format="q8_0", dtype="float32")
            t2: R.Tensor((64, 20), dtype="float32") = R.permute_dims(d2, axes=None)
            lv2: R.Tensor((n, 20), dtype="float16") = R.matmul(lv1, t2, out_dtype="float16")
            d3: R.Tensor((8, 64), dtype="float32") = R.rx.dequantize(v, format="q4_0", dtype="float32")
            lv3: R.Tensor((n, 8), dtype="float32") = R.einsum((x, d3), subscripts="ay,zy->az")
            R.output(lv11, lv2, lv3)
        return (lv11, lv2, lv3)
