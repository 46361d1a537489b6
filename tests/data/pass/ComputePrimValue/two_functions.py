# Each function has its own symbols.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.prim_value(n * 2)
        return x

    @R.function
    def other(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.prim_value(n * 2)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n * T.int64(2)

    @R.function
    def other(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        return x

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        return x
