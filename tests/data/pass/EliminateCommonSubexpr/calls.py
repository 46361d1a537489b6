# A second call, a third, and what uses them.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        a = R.add(x, y)
        b = R.add(x, y)
        d = R.multiply(a, b)
        e = R.multiply(b, a)
        f = R.add(y, x)
        return (d, e, f)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.add(x, y)
        b: R.Tensor((n, 4), dtype="float32") = a
        d: R.Tensor((n, 4), dtype="float32") = R.multiply(a, a)
        e: R.Tensor((n, 4), dtype="float32") = d
        f: R.Tensor((n, 4), dtype="float32") = R.add(y, x)
        return (d, d, f)
