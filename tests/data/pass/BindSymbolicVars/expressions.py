# Products, quotients and remainders become numbers.
# PASS: BindSymbolicVars:binding_map={n: 9, m: 2}
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        return (R.shape([n * m, n // m, n % m, n - m]), R.prim_value(n * n + 1))
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((9, 2), dtype="float32")) -> R.Tuple(R.Shape([18, 4, 1, 7]), R.Prim(value=82)):
        return (R.shape([18, 4, 1, 7]), R.prim_value(82))
