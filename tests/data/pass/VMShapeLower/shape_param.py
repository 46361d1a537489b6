# A shape as a parameter.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["k", "n"]), r: R.Shape(ndim=2)) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.shape([k, 3])
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape(["k", "n"]), r: R.Shape(ndim=2)) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_shape_info", s, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[1], param=s, annotation=R.Shape([k, n])) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_shape_info", r, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[2], param=r, annotation=R.Shape(ndim=2)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", s, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(fn=main, loc=param[1], param=s, annotation=R.Shape([k, n])) "), sinfo_args=(R.Tuple,))
        a: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(0), R.prim_value(3), sinfo_args=(R.Shape(ndim=2),))
        return x
