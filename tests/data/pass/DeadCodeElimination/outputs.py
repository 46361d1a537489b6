# Outputs of three blocks, two of them neighbours.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.add(x, x)
            b = R.add(a, a)
            R.output(a, b)
        with R.dataflow():
            c = R.add(a, a)
            R.output(c)
        d = R.add(c, a)
        e = R.add(c, c)
        with R.dataflow():
            g = R.add(e, a)
            h = R.add(g, g)
            R.output(g, h)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.add(x, x)
            c: R.Tensor((4,), dtype="float32") = R.add(a, a)
            R.output(a, c)
        e: R.Tensor((4,), dtype="float32") = R.add(c, c)
        with R.dataflow():
            g: R.Tensor((4,), dtype="float32") = R.add(e, a)
            h: R.Tensor((4,), dtype="float32") = R.add(g, g)
            R.output(g, h)
        return h
