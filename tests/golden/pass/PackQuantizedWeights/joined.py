# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# Weights under each other are one; beside each other they are not, nor where one has no data.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((32, 36), "uint8"), k: R.Tensor((20, 36), "uint8"), v: R.Tensor((8, 36), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w", "k"]})
        with R.dataflow():
            c = R.concat((w, k), axis=0)
            d = R.rx.dequantize(c, format="q4_0")
            y = R.einsum((x, d), subscripts="ay,zy->az")
            c2 = R.concat((w, v), axis=0)
            d2 = R.rx.dequantize(c2, format="q4_0")
            z = R.einsum((x, d2), subscripts="ay,zy->az")
            c3 = R.concat((w, w), axis=1)
            d3 = R.rx.dequantize(c3, format="q4_0")
            x3 = R.concat((x, x), axis=1)
            z3 = R.einsum((x3, d3), subscripts="ay,zy->az")
            R.output(y, z, z3)
        return (y, z, z3)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((32, 36), dtype="uint8"), k: R.Tensor((20, 36), dtype="uint8"), v: R.Tensor((8, 36), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 52), dtype="float32"), R.Tensor(("n", 40), dtype="float32"), R.Tensor(("n", 32), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 1, "rx.bound_weights": ["w", "k"]})
        with R.dataflow():
            c: R.Tensor((52, 36), dtype="uint8") = R.concat((w, k), axis=0)
            lv: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv1: R.Tensor((n, 16), dtype="int32") = lv[0]
            lv2: R.Tensor((n, 2), dtype="float32") = lv[1]
            lv3: R.Tensor((n, 2), dtype="int32") = lv[2]
            lv4: R.Tensor((4, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(c, format="q4_0")
            lv5: R.Tensor((4, 2, 16), dtype="float16") = R.rx.pack_scales(c, format="q4_0")
            lv6: R.Tensor((n, 52), dtype="float32") = R.rx.packed_matmul(lv1, lv2, lv3, lv4, lv5, columns=52, format="q4_0")
            c2: R.Tensor((40, 36), dtype="uint8") = R.concat((w, v), axis=0)
            d2: R.Tensor((40, 64), dtype="float32") = R.rx.dequantize(c2, format="q4_0", dtype="float32")
            z: R.Tensor((n, 40), dtype="float32") = R.einsum((x, d2), subscripts="ay,zy->az")
            c3: R.Tensor((32, 72), dtype="uint8") = R.concat((w, w), axis=1)
            d3: R.Tensor((32, 128), dtype="float32") = R.rx.dequantize(c3, format="q4_0", dtype="float32")
            x3: R.Tensor((n, 128), dtype="float32") = R.concat((x, x), axis=1)
            z3: R.Tensor((n, 32), dtype="float32") = R.einsum((x3, d3), subscripts="ay,zy->az")
            R.output(lv6, z, z3)
        return (lv6, z, z3)
