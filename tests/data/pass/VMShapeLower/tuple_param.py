# A tuple as a parameter.
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n", 4), "float32"), R.Shape(ndim=2), R.Tensor(("n",), "float32"))) -> R.Shape(["n"]):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        s = R.shape([n])
        return s
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Shape(ndim=2), R.Tensor(("n",), dtype="float32"))) -> R.Shape(["n"]):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(1),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tuple_info", t, R.prim_value(3), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        gv: R.Tensor((n, 4), dtype="float32") = t[0]
        R.call_packed("vm.builtin.check_tensor_info", gv, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        gv1: R.Shape(ndim=2) = t[1]
        R.call_packed("vm.builtin.check_shape_info", gv1, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        gv2: R.Tensor((n,), dtype="float32") = t[2]
        R.call_packed("vm.builtin.check_tensor_info", gv2, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv2, shape_heap, R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(fn=main, loc=param[0], param=t, annotation=R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Shape(ndim=2), R.Tensor((n,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        s: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), sinfo_args=(R.Shape(ndim=1),))
        R.call_packed("vm.builtin.match_shape", s, shape_heap, R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(fn=main, loc=return, annotation=R.Shape([n])) "), sinfo_args=(R.Tuple,))
        return s
