# Of a tuple that is returned the fields that are not known.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        s = R.vm.alloc_storage(R.shape([n]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        t = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        q = (t, y)
        return q
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("m",), dtype="float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", y, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[1], param=y, annotation=R.Tensor((m,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", y, shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), R.str("ErrorContext(fn=main, loc=param[1], param=y, annotation=R.Tensor((m,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        gv: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), sinfo_args=(R.Shape(ndim=1),))
        s: R.Object = R.vm.alloc_storage(gv, R.prim_value(0), R.dtype("uint8"), R.str("global"))
        gv1: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), sinfo_args=(R.Shape(ndim=1),))
        t: R.Tensor(dtype="float32", ndim=1) = R.vm.alloc_tensor(s, R.prim_value(0), gv1, R.dtype("float32"), R.prim_value(0))
        q: R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tensor((m,), dtype="float32")) = t, y
        gv2: R.Tensor(dtype="float32", ndim=1) = q[0]
        R.call_packed("vm.builtin.match_shape", gv2, shape_heap, R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(fn=main, loc=return, annotation=R.Tuple(R.Tensor((n,), dtype=\"float32\"), R.Tensor((m,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        return q
