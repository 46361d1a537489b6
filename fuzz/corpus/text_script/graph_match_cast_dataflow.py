@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor("float32", ndim=1)):
        with R.dataflow():
            n = T.int64()
            a = R.match_cast(x, R.Tensor((n,), "float32"))
            b = R.add(a, a)
            R.output(b)
        return b
