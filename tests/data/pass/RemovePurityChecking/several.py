# Several in a row, with the results used by operators.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.call_pure_packed("ext.a", x, sinfo_args=(R.Tensor((n, 4), "float32"),))
        b = R.matmul(a, w)
        c = R.call_pure_packed("ext.b", b, w, sinfo_args=(R.Tensor((n, m), "float32"),))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, "m"), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a: R.Tensor((n, 4), dtype="float32") = R.call_packed("ext.a", x, sinfo_args=(R.Tensor((n, 4), dtype="float32"),))
        b: R.Tensor((n, m), dtype="float32") = R.matmul(a, w, out_dtype="void")
        c: R.Tensor((n, m), dtype="float32") = R.call_packed("ext.b", b, w, sinfo_args=(R.Tensor((n, m), dtype="float32"),))
        return c
