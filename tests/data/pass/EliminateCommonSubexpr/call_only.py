# Only calls.
# PASS: EliminateCommonSubexpr:call_only=True
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        a = R.exp(x)
        b = R.exp(x)
        t = (a, b)
        t1 = (a, b)
        s = R.shape([4])
        s1 = R.shape([4])
        y = x
        z = R.exp(y)
        return (t, t1, s, s1, z)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")), R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")), R.Shape([4]), R.Shape([4]), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        b: R.Tensor((n, 4), dtype="float32") = a
        t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, a
        t1: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, a
        s: R.Shape([4]) = R.shape([4])
        s1: R.Shape([4]) = R.shape([4])
        y: R.Tensor((n, 4), dtype="float32") = x
        z: R.Tensor((n, 4), dtype="float32") = R.exp(y)
        return (t, t1, s, s1, z)
