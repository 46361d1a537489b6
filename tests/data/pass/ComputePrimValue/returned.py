# What is returned as it is.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Prim(value="n // 2 + 3"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        return R.prim_value(n // 2 + 3)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n // T.int64(2) + T.int64(3)

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Prim(value="n // 2 + 3"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        return gv
