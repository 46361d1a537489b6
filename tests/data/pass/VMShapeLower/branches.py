# Shapes in branches.
@I.ir_module
class Module:
    @R.function
    def main(y: R.Tensor(("n",), "float32"), p: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        if p:
            s = R.shape([n, 3])
            z = y
        else:
            q = R.shape([3, n])
            z = y
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(y: R.Tensor(("n",), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(1),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", y, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=y, annotation=R.Tensor((n,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", p, R.prim_value(0), R.dtype("bool"), R.str("ErrorContext(fn=main, loc=param[1], param=p, annotation=R.Tensor((), dtype=\"bool\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", y, shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), R.str("ErrorContext(fn=main, loc=param[0], param=y, annotation=R.Tensor((n,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        if p:
            s: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(3), sinfo_args=(R.Shape(ndim=2),))
            z: R.Tensor((n,), dtype="float32") = y
        else:
            q: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(3), R.prim_value(1), R.prim_value(0), sinfo_args=(R.Shape(ndim=2),))
            z: R.Tensor((n,), dtype="float32") = y
        return z
