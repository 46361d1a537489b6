# Inside of branches.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), p: R.Tensor((), "bool")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        if p:
            z = R.prim_value(n * 3)
        else:
            z = R.prim_value(m * 3)
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n * T.int64(3)

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if p:
            gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
            z: R.Prim("int64") = gv
        else:
            gv1: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(m))
            z: R.Prim("int64") = gv1
        return x
