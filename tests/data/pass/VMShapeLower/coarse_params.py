# Little is known of the parameters.
@I.ir_module
class Module:
    @R.function
    def main(u: R.Tensor, w: R.Tensor(dtype="float32"), v: R.Tensor(ndim=2, dtype="float16"), o: R.Object, z: R.Tensor((), "float32")) -> R.Tensor:
        R.func_attr({"relax.force_pure": True})
        return u
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(u: R.Tensor, w: R.Tensor(dtype="float32"), v: R.Tensor(dtype="float16", ndim=2), o: R.Object, z: R.Tensor((), dtype="float32")) -> R.Tensor:
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Object = R.null_value()
        R.call_packed("vm.builtin.check_tensor_info", u, R.prim_value(-1), R.dtype("void"), R.str("ErrorContext(fn=main, loc=param[0], param=u, annotation=R.Tensor) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", w, R.prim_value(-1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[1], param=w, annotation=R.Tensor(dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", v, R.prim_value(2), R.dtype("float16"), R.str("ErrorContext(fn=main, loc=param[2], param=v, annotation=R.Tensor(dtype=\"float16\", ndim=2)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", z, R.prim_value(0), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[4], param=z, annotation=R.Tensor((), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        return u
