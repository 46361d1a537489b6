# What is not known to be a tensor is checked first; what is known is not.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), u: R.Tensor, o: R.Object) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.match_cast(x, R.Tensor((n, m), "float32"))
        b = R.match_cast(u, R.Tensor((n, m), "float32"))
        c = R.match_cast(o, R.Tensor((n, m), "float32"))
        d = R.match_cast(x, R.Tensor(ndim=2, dtype="float32"))
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), u: R.Tensor, o: R.Object) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", u, R.prim_value(-1), R.dtype("void"), R.str("ErrorContext(fn=main, loc=param[1], param=u, annotation=R.Tensor) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(1), R.prim_value(1), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        a: R.Tensor((n, m), dtype="float32") = R.match_cast(x, R.Tensor((n, m), dtype="float32"))
        R.call_packed("vm.builtin.check_tensor_info", u, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(match_cast, struct_info=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", u, shape_heap, R.prim_value(2), R.prim_value(3), R.prim_value(0), R.prim_value(3), R.prim_value(1), R.str("ErrorContext(match_cast, struct_info=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        b: R.Tensor((n, m), dtype="float32") = R.match_cast(u, R.Tensor((n, m), dtype="float32"))
        R.call_packed("vm.builtin.check_tensor_info", o, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(match_cast, struct_info=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", o, shape_heap, R.prim_value(2), R.prim_value(3), R.prim_value(0), R.prim_value(3), R.prim_value(1), R.str("ErrorContext(match_cast, struct_info=R.Tensor((n, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        c: R.Tensor((n, m), dtype="float32") = R.match_cast(o, R.Tensor((n, m), dtype="float32"))
        d: R.Tensor(dtype="float32", ndim=2) = R.match_cast(x, R.Tensor(dtype="float32", ndim=2))
        return a
