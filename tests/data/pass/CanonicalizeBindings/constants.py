# Constants stand where they are used; other leaves keep their names.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        r = R.const(1.0, "float32")
        r1 = R.add(r, x)
        s = R.shape([4, 2])
        s1 = s
        return (r1, s1)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Shape([4, 2])):
        r: R.Tensor((), dtype="float32") = R.const(1.0, "float32")
        r1: R.Tensor((4,), dtype="float32") = R.add(R.const(1.0, "float32"), x)
        s: R.Shape([4, 2]) = R.shape([4, 2])
        return (r1, s)
