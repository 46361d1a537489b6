@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32"), u: R.Tensor((8, 8), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, [1, 0])
            g1 = R.add(g, R.const(1.0, "float32"))
            y = R.matmul(x, wt)
            z = R.multiply(y, g1)
            v = R.matmul(z, u)
            R.output(v)
        return v
