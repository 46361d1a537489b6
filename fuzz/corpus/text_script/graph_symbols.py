@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * 2", "m + 1"), "float32"), z: R.Tensor(("n // 2", "m % 4", "n - 1"), "float32"), w: R.Tensor(("(n + 1) * 4", "n * m"), "float32")) -> R.Tensor(("n * m",), "float32"):
        n = T.int64()
        m = T.int64()
        r = R.reshape(x, R.shape([n * m]))
        s = R.shape([T.min(n, m), T.max(n, 3), n // 2 + m % 3, (n + 1) * 4])
        v = R.prim_value(n + m * 2)
        return r
