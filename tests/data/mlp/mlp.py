@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w1: R.Tensor((8, 16), "float32"), b1: R.Tensor((16,), "float32"), w2: R.Tensor((16, 5), "float32"), b2: R.Tensor((5,), "float32")) -> R.Tensor(("n", 5), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv0 = R.matmul(x, w1)
            lv1 = R.add(lv0, b1)
            lv2 = R.nn.gelu(lv1)
            lv3 = R.matmul(lv2, w2)
            lv4 = R.add(lv3, b2)
            gv = R.nn.softmax(lv4, axis=-1)
            R.output(gv)
        return gv
