# Reshapes of symbolic sizes, one after another, with a named shape.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape([2, "n * 2"])) -> R.Tensor((4, "n"), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.reshape(x, R.shape([n * 4]))
        sh = R.shape([2, n * 2])
        b = R.reshape(a, sh)
        c = R.reshape(b, R.shape([4, n]))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape([2, "n * 2"])) -> R.Tensor((4, "n"), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        a: R.Tensor((n * 4,), dtype="float32") = R.call_packed("vm.builtin.reshape", x, R.shape([n * 4]), sinfo_args=(R.Tensor((n * 4,), dtype="float32"),))
        sh: R.Shape([2, n * 2]) = R.shape([2, n * 2])
        b: R.Tensor((2, n * 2), dtype="float32") = R.call_packed("vm.builtin.reshape", a, sh, sinfo_args=(R.Tensor((2, n * 2), dtype="float32"),))
        c: R.Tensor((4, n), dtype="float32") = R.call_packed("vm.builtin.reshape", b, R.shape([4, n]), sinfo_args=(R.Tensor((4, n), dtype="float32"),))
        return c
