# Other operators.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.prim_value(T.min(n, m))
        b = R.prim_value(T.max(n - m, 0))
        c = R.prim_value(n < m)
        d = R.prim_value(n % 7)
        t = (a, b, c)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64, m: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return T.min(n, m)

    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr1(n: T.int64, m: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return T.max(n - m, T.int64(0))

    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr2(n: T.int64, m: T.int64) -> T.bool:
        T.func_attr({"tirx.is_host_func": True})
        return n < m

    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr3(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n % T.int64(7)

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n), R.prim_value(m))
        b: R.Prim("int64") = cls.compute_symbolic_expr1(R.prim_value(n), R.prim_value(m))
        c: R.Prim("bool") = cls.compute_symbolic_expr2(R.prim_value(n), R.prim_value(m))
        d: R.Prim("int64") = cls.compute_symbolic_expr3(R.prim_value(n))
        t: R.Tuple(R.Prim("int64"), R.Prim("int64"), R.Prim("bool")) = a, b, c
        return x
