# Arguments of a call.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Object:
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        e = R.call_packed("f", R.prim_value(n + m), R.prim_value(3), R.prim_value(n), sinfo_args=(R.Object,))
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def compute_symbolic_expr(n: T.int64, m: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True})
        return n + m

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Object:
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n), R.prim_value(m))
        e: R.Object = R.call_packed("f", gv, R.prim_value(3), R.prim_value(n), sinfo_args=(R.Object,))
        return e
