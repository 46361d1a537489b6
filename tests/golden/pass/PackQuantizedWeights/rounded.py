# RUN: relax opt --pass PackQuantizedWeights,DeadCodeElimination %s
# What comes before a product is rounded where it is computed: halves of a row, the first one activated, in either order
# (y1); attention (y2). Halves that are not, or are activated the wrong way round, stay apart (y3); so does attention that
# somebody else reads (y4), or whose heads are too narrow (y5).

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), "float32"), q: R.Tensor(("n", 4, 32), "float32"), k: R.Tensor(("g", 16, 2, 32), "float32"), v: R.Tensor(("g", 16, 2, 32), "float32"), k1: R.Tensor(("g", 16, 4, 16), "float32"), p: R.Tensor(("n",), "int32"), s: R.Tensor((2,), "int32"), t: R.Tensor((1, "m"), "int32"), w: R.Tensor((16, 36), "uint8"), u: R.Tensor((16, 72), "uint8")):
        n = T.int64()
        R.func_attr({"num_input": 8, "rx.bound_weights": ["w", "u"]})
        with R.dataflow():
            half = R.split(x, indices_or_sections=[64], axis=-1)
            h0 = half[0]
            h1 = half[1]
            d = R.rx.dequantize(w, format="q4_0")
            e = R.rx.dequantize(u, format="q4_0")
            a1 = R.nn.gelu_tanh(h0)
            m1 = R.multiply(h1, a1)
            y1 = R.einsum((m1, d), subscripts="ay,zy->az")
            seen = R.rx.attention(q, k, v, p, s, t, scale=0.5, window=7)
            row = R.reshape(seen, (n, 128))
            y2 = R.einsum((row, e), subscripts="ay,zy->az")
            a3 = R.nn.silu(h1)
            m3 = R.multiply(h0, a3)
            y3 = R.einsum((m3, d), subscripts="ay,zy->az")
            seen4 = R.rx.attention(q, k, v, p, s, t, scale=0.25)
            row4 = R.reshape(seen4, (n, 128))
            y4 = R.einsum((row4, e), subscripts="ay,zy->az")
            q5 = R.reshape(q, (n, 8, 16))
            seen5 = R.rx.attention(q5, k1, k1, p, s, t, scale=0.25)
            row5 = R.reshape(seen5, (n, 128))
            y5 = R.einsum((row5, e), subscripts="ay,zy->az")
            R.output(y1, y2, y3, y4, y5, seen4)
        return (y1, y2, y3, y4, y5, seen4)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float32"), q: R.Tensor(("n", 4, 32), dtype="float32"), k: R.Tensor(("g", 16, 2, 32), dtype="float32"), v: R.Tensor(("g", 16, 2, 32), dtype="float32"), k1: R.Tensor(("g", 16, 4, 16), dtype="float32"), p: R.Tensor(("n",), dtype="int32"), s: R.Tensor((2,), dtype="int32"), t: R.Tensor((1, "m"), dtype="int32"), w: R.Tensor((16, 36), dtype="uint8"), u: R.Tensor((16, 72), dtype="uint8")) -> R.Tuple(R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 16), dtype="float32"), R.Tensor(("n", 4, 32), dtype="float32")):
        n = T.int64()
        g = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 8, "rx.bound_weights": ["w", "u"]})
        with R.dataflow():
            half: R.Tuple(R.Tensor((n, 64), dtype="float32"), R.Tensor((n, 64), dtype="float32")) = R.split(x, indices_or_sections=[64], axis=-1)
            h0: R.Tensor((n, 64), dtype="float32") = half[0]
            h1: R.Tensor((n, 64), dtype="float32") = half[1]
            lv: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(x, unit=32, low=-8, turns=0, epsilon=1e-05, gate="gelu_tanh")
            lv1: R.Tensor((n, 16), dtype="int32") = lv[0]
            lv2: R.Tensor((n, 2), dtype="float32") = lv[1]
            lv3: R.Tensor((n, 2), dtype="int32") = lv[2]
            lv4: R.Tensor((1, 2, 4, 16), dtype="uint32") = R.rx.pack_quants(w, format="q4_0")
            lv5: R.Tensor((1, 2, 16), dtype="float16") = R.rx.pack_scales(w, format="q4_0")
            lv6: R.Tensor((n, 16), dtype="float32") = R.rx.packed_matmul(lv1, lv2, lv3, lv4, lv5, columns=16, format="q4_0")
            lv7: R.Tuple(R.Tensor((n, 32), dtype="int32"), R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="int32")) = R.rx.attention(q, k, v, p, s, t, scale=0.5, window=7, soft_cap=0.0, unit=32, low=-8, turns=0)
            lv8: R.Tensor((n, 32), dtype="int32") = lv7[0]
            lv9: R.Tensor((n, 4), dtype="float32") = lv7[1]
            lv10: R.Tensor((n, 4), dtype="int32") = lv7[2]
            lv11: R.Tensor((1, 4, 4, 16), dtype="uint32") = R.rx.pack_quants(u, format="q4_0")
            lv12: R.Tensor((1, 4, 16), dtype="float16") = R.rx.pack_scales(u, format="q4_0")
            lv13: R.Tensor((n, 16), dtype="float32") = R.rx.packed_matmul(lv8, lv9, lv10, lv11, lv12, columns=16, format="q4_0")
            a3: R.Tensor((n, 64), dtype="float32") = R.nn.silu(h1)
            m3: R.Tensor((n, 64), dtype="float32") = R.multiply(h0, a3)
            lv14: R.Tuple(R.Tensor((n, 16), dtype="int32"), R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int32")) = R.rx.quantize_int8(m3, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv15: R.Tensor((n, 16), dtype="int32") = lv14[0]
            lv16: R.Tensor((n, 2), dtype="float32") = lv14[1]
            lv17: R.Tensor((n, 2), dtype="int32") = lv14[2]
            lv18: R.Tensor((n, 16), dtype="float32") = R.rx.packed_matmul(lv15, lv16, lv17, lv4, lv5, columns=16, format="q4_0")
            seen4: R.Tensor((n, 4, 32), dtype="float32") = R.rx.attention(q, k, v, p, s, t, scale=0.25, window=0, soft_cap=0.0, unit=0, low=0, turns=0)
            row4: R.Tensor((n, 128), dtype="float32") = R.reshape(seen4, R.shape([n, 128]))
            lv19: R.Tuple(R.Tensor((n, 32), dtype="int32"), R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="int32")) = R.rx.quantize_int8(row4, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv20: R.Tensor((n, 32), dtype="int32") = lv19[0]
            lv21: R.Tensor((n, 4), dtype="float32") = lv19[1]
            lv22: R.Tensor((n, 4), dtype="int32") = lv19[2]
            lv23: R.Tensor((n, 16), dtype="float32") = R.rx.packed_matmul(lv20, lv21, lv22, lv11, lv12, columns=16, format="q4_0")
            q5: R.Tensor((n, 8, 16), dtype="float32") = R.reshape(q, R.shape([n, 8, 16]))
            seen5: R.Tensor((n, 8, 16), dtype="float32") = R.rx.attention(q5, k1, k1, p, s, t, scale=0.25, window=0, soft_cap=0.0, unit=0, low=0, turns=0)
            row5: R.Tensor((n, 128), dtype="float32") = R.reshape(seen5, R.shape([n, 128]))
            lv24: R.Tuple(R.Tensor((n, 32), dtype="int32"), R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="int32")) = R.rx.quantize_int8(row5, unit=32, low=-8, turns=0, epsilon=1e-05, gate="none")
            lv25: R.Tensor((n, 32), dtype="int32") = lv24[0]
            lv26: R.Tensor((n, 4), dtype="float32") = lv24[1]
            lv27: R.Tensor((n, 4), dtype="int32") = lv24[2]
            lv28: R.Tensor((n, 16), dtype="float32") = R.rx.packed_matmul(lv25, lv26, lv27, lv11, lv12, columns=16, format="q4_0")
            R.output(lv6, lv13, lv18, lv23, lv28, seen4)
        return (lv6, lv13, lv18, lv23, lv28, seen4)
