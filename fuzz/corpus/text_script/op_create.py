@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), i: R.Tensor(("n",), "int64")):
        n = T.int64()
        with R.dataflow():
            lv0 = R.zeros(R.shape([n, 4]), "float32")
            lv1 = R.ones((2, 3), "int32")
            lv2 = R.full(R.shape([n]), R.const(2.0, "float32"), dtype="float32")
            lv3 = R.full_like(x, R.const(1.0, "float32"))
            lv4 = R.zeros_like(x)
            lv5 = R.ones_like(x, dtype="int8")
            lv6 = R.arange(0, 10, 2, dtype="int64")
            lv7 = R.arange(n)
            lv8 = R.arange(2, n)
            lv9 = R.tril(x)
            lv10 = R.triu(x, k=1)
            lv11 = R.tril(x, 2)
            lv12 = R.eye(3)
            lv13 = R.eye(n, 4, 1, dtype="float16")
            lv14 = R.eye_like(x, k=-1)
            lv15 = R.one_hot(i, R.prim_value(1), R.prim_value(0), depth=5)
            lv16 = R.hamming_window(10, True, 0.5, 0.5, "float32")
            lv17 = R.multinomial_from_uniform(x, R.const([[0.5]], "float32"), R.const([[0]], "int64"))
            R.output(lv17)
        return lv17
