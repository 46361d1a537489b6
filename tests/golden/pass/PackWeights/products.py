# RUN: relax opt --pass PackWeights,DeadCodeElimination %s
# Large weights are laid out in panels, halves stay halves; one that is gathered from too, and a small one, stay.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 256), "float32"), i: R.Tensor(("n",), "int32"), w: R.Tensor((300, 256), "float32"), b: R.Tensor((256, 200), "float32"), h: R.Tensor((256, 300), "float16"), t: R.Tensor((300, 256), "float32"), s: R.Tensor((256, 8), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w", "b", "h", "t", "s"]})
        with R.dataflow():
            y0 = R.einsum((x, w), subscripts="ay,zy->az")
            y1 = R.matmul(x, b)
            h1 = R.astype(h, "float32")
            y2 = R.matmul(x, h1)
            y3 = R.matmul(x, R.permute_dims(w))
            e = R.take(t, i, axis=0)
            y4 = R.einsum((e, t), subscripts="ay,zy->az")
            y5 = R.matmul(x, s)
            R.output(y0, y1, y2, y3, y4, y5)
        return (y0, y1, y2, y3, y4, y5)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 256), dtype="float32"), i: R.Tensor(("n",), dtype="int32"), w: R.Tensor((300, 256), dtype="float32"), b: R.Tensor((256, 200), dtype="float32"), h: R.Tensor((256, 300), dtype="float16"), t: R.Tensor((300, 256), dtype="float32"), s: R.Tensor((256, 8), dtype="float32")) -> R.Tuple(R.Tensor(("n", 300), dtype="float32"), R.Tensor(("n", 200), dtype="float32"), R.Tensor(("n", 300), dtype="float32"), R.Tensor(("n", 300), dtype="float32"), R.Tensor(("n", 300), dtype="float32"), R.Tensor(("n", 8), dtype="float32")):
        n = T.int64()
        R.func_attr({"num_input": 2, "rx.bound_weights": ["w", "b", "h", "t", "s"]})
        with R.dataflow():
            panels: R.Tensor((19, 256, 16), dtype="float32") = R.rx.pack_panels(w, rows=True)
            lv: R.Tensor((n, 300), dtype="float32") = R.rx.panel_matmul(x, panels, columns=300)
            panels1: R.Tensor((13, 256, 16), dtype="float32") = R.rx.pack_panels(b, rows=False)
            lv1: R.Tensor((n, 200), dtype="float32") = R.rx.panel_matmul(x, panels1, columns=200)
            panels2: R.Tensor((19, 256, 16), dtype="float16") = R.rx.pack_panels(h, rows=False)
            lv2: R.Tensor((n, 300), dtype="float32") = R.rx.panel_matmul(x, panels2, columns=300)
            lv31: R.Tensor((n, 300), dtype="float32") = R.rx.panel_matmul(x, panels, columns=300)
            e: R.Tensor((n, 256), dtype="float32") = R.take(t, i, axis=0, mode="fast")
            y4: R.Tensor((n, 300), dtype="float32") = R.einsum((e, t), subscripts="ay,zy->az")
            y5: R.Tensor((n, 8), dtype="float32") = R.matmul(x, s, out_dtype="void")
            R.output(lv, lv1, lv2, lv31, y4, y5)
        return (lv, lv1, lv2, lv31, y4, y5)
