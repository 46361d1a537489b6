# Several users of one value, level by level.
# PASS: TopologicalSort:order=breadth-first
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(x)
            c = R.exp(x)
            b1 = R.exp(b)
            a1 = R.exp(a)
            c1 = R.exp(c)
            b2 = R.exp(b)
            a2 = R.exp(a)
            e = R.add(a1, b1)
            f = R.add(a2, b2)
            g = R.add(e, f)
            h = R.add(g, c1)
            R.output(h)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n,), dtype="float32") = R.exp(x)
            b: R.Tensor((n,), dtype="float32") = R.exp(x)
            c: R.Tensor((n,), dtype="float32") = R.exp(x)
            a1: R.Tensor((n,), dtype="float32") = R.exp(a)
            a2: R.Tensor((n,), dtype="float32") = R.exp(a)
            b1: R.Tensor((n,), dtype="float32") = R.exp(b)
            b2: R.Tensor((n,), dtype="float32") = R.exp(b)
            c1: R.Tensor((n,), dtype="float32") = R.exp(c)
            e: R.Tensor((n,), dtype="float32") = R.add(a1, b1)
            f: R.Tensor((n,), dtype="float32") = R.add(a2, b2)
            g: R.Tensor((n,), dtype="float32") = R.add(e, f)
            h: R.Tensor((n,), dtype="float32") = R.add(g, c1)
            R.output(h)
        return h
