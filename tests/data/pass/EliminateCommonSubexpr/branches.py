# A branch sees what was before it, not the other branch.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        y = R.exp(x)
        if c:
            a = R.add(x, x)
            b = R.add(x, x)
            z = R.exp(x)
            e = R.multiply(a, b)
            e1 = R.multiply(e, z)
        else:
            a = R.add(x, x)
            e1 = R.multiply(a, a)
        i = R.add(x, x)
        return (e1, i, y)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        y: R.Tensor((4,), dtype="float32") = R.exp(x)
        if c:
            a: R.Tensor((4,), dtype="float32") = R.add(x, x)
            b: R.Tensor((4,), dtype="float32") = a
            z: R.Tensor((4,), dtype="float32") = y
            e: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
            e1_then: R.Tensor((4,), dtype="float32") = R.multiply(e, y)
            e1: R.Tensor((4,), dtype="float32") = e1_then
        else:
            a: R.Tensor((4,), dtype="float32") = R.add(x, x)
            e1_else: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
            e1: R.Tensor((4,), dtype="float32") = e1_else
        i: R.Tensor((4,), dtype="float32") = R.add(x, x)
        return (e1, i, y)
