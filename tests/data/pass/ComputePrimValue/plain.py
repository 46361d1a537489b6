# Symbols and constants stay.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.prim_value(n)
        b = R.prim_value(16)
        t = (a, b)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a: R.Prim(value=n) = R.prim_value(n)
        b: R.Prim(value=16) = R.prim_value(16)
        t: R.Tuple(R.Prim(value=n), R.Prim(value=16)) = a, b
        return x
