# Blocks in the branches of an if, and one before it.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        with R.dataflow():
            s = R.sin(x)
            R.output(s)
        if c:
            with R.dataflow():
                a = R.exp(s)
                p = R.add(a, s)
                R.output(p)
            r = p
        else:
            with R.dataflow():
                q = R.negative(s)
                R.output(q)
            r = q
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        s: R.Tensor((n, 4), dtype="float32") = R.sin(x)
        if c:
            a: R.Tensor((n, 4), dtype="float32") = R.exp(s)
            p: R.Tensor((n, 4), dtype="float32") = R.add(a, s)
            r: R.Tensor((n, 4), dtype="float32") = p
        else:
            q: R.Tensor((n, 4), dtype="float32") = R.negative(s)
            r: R.Tensor((n, 4), dtype="float32") = q
        return r
