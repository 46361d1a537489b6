# The shape of a tensor, and a tensor of a shape.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Shape(["n", 4]):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        s: R.Shape([n, 4]) = R.shape_of(x)
        return s
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Shape(["n", 4]):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        s: R.Shape([n, 4]) = R.call_packed("vm.builtin.shape_of", x, sinfo_args=(R.Shape([n, 4]),))
        return s
