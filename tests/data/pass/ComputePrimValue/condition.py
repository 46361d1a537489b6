# The condition of an if.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        c = R.prim_value(n % 16 == 0)
        if c:
            z = R.add(x, x)
        else:
            z = R.multiply(x, x)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64) -> T.bool:
        T.func_attr({"tirx.is_host_func": True})
        return n % T.int64(16) == T.int64(0)

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        c: R.Prim("bool") = cls.compute_symbolic_expr(R.prim_value(n))
        if c:
            z_then: R.Tensor((n, m), dtype="float32") = R.add(x, x)
            z: R.Tensor((n, m), dtype="float32") = z_then
        else:
            z_else: R.Tensor((n, m), dtype="float32") = R.multiply(x, x)
            z: R.Tensor((n, m), dtype="float32") = z_else
        return z
