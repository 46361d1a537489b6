# Scalars as parameters and as values.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), p: R.Prim("int64"), q: R.Prim(value="j")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        j = T.int64()
        R.func_attr({"relax.force_pure": True})
        a = R.prim_value(n)
        b = R.prim_value(3)
        c = R.call_packed("f", R.prim_value(j), R.prim_value(2), sinfo_args=(R.Object,))
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), p: R.Prim("int64"), q: R.Prim(value="j")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        j = T.int64()
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_prim_value_info", p, R.dtype("int64"), R.str("ErrorContext(fn=main, loc=param[1], param=p, annotation=R.Prim(\"int64\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_prim_value_info", q, R.dtype("int64"), R.str("ErrorContext(fn=main, loc=param[2], param=q, annotation=R.Prim(value=j)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_prim_value", q, shape_heap, R.prim_value(1), R.prim_value(1), R.str("ErrorContext(fn=main, loc=param[2], param=q, annotation=R.Prim(value=j)) "), sinfo_args=(R.Tuple,))
        a: R.Prim(value=n) = R.call_packed("vm.builtin.make_prim_value", shape_heap, R.prim_value(1), R.prim_value(0), sinfo_args=(R.Prim(value=n),))
        b: R.Prim(value=3) = R.prim_value(3)
        gv: R.Prim(value=j) = R.call_packed("vm.builtin.make_prim_value", shape_heap, R.prim_value(1), R.prim_value(1), sinfo_args=(R.Prim(value=j),))
        c: R.Object = R.call_packed("f", gv, R.prim_value(2), sinfo_args=(R.Object,))
        return x
