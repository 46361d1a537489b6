@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        a = R.exp(x)
        with R.dataflow():
            b = R.add(a, y)
            c = R.multiply(b, b)
            d = R.sum(c, axis=[1])
            R.output(b, d)
        e = R.add(b, x)
        with R.dataflow():
            f = R.negative(e)
            R.output(f)
        return (d, f)
