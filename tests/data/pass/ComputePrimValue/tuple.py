# Fields of a tuple.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        t = (R.prim_value(n + 1), R.prim_value(n), R.prim_value(m // 2))
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n + T.int64(1)

    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr1(m: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return m // T.int64(2)

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        gv1: R.Prim("int64") = cls.compute_symbolic_expr1(R.prim_value(m))
        t: R.Tuple(R.Prim("int64"), R.Prim(value=n), R.Prim("int64")) = gv, R.prim_value(n), gv1
        return x
