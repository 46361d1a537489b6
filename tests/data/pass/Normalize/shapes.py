# Shapes and scalars as values.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["k"])):
        n = T.int64()
        k = T.int64()
        a = R.shape([n, k + 1])
        b = R.prim_value(n * 2)
        return (a, b, R.shape([n * k]))
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape(["k"])) -> R.Tuple(R.Shape(["n", "k + 1"]), R.Prim(value="n * 2"), R.Shape(["n * k"])):
        n = T.int64()
        k = T.int64()
        a: R.Shape([n, k + 1]) = R.shape([n, k + 1])
        b: R.Prim(value=n * 2) = R.prim_value(n * 2)
        return (a, b, R.shape([n * k]))
