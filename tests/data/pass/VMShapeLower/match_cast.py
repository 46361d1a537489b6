# match_cast binds a symbol, from which a size is computed.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), u: R.Tensor(ndim=2, dtype="float16")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        g = T.int64()
        v = R.match_cast(u, R.Tensor((g, n), "float16"))
        s = R.shape([g * 3, n])
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shape_func(H: T.Buffer((T.int64(3),), "int64")):
        T.func_attr({"tirx.is_host_func": True})
        H[T.int64(2)] = H[T.int64(1)] * T.int64(3)

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), u: R.Tensor(dtype="float16", ndim=2)) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        g = T.int64()
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(3),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", u, R.prim_value(2), R.dtype("float16"), R.str("ErrorContext(fn=main, loc=param[1], param=u, annotation=R.Tensor(dtype=\"float16\", ndim=2)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", u, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(match_cast, struct_info=R.Tensor((g, n), dtype=\"float16\")) "), sinfo_args=(R.Tuple,))
        cls.shape_func(shape_heap)
        v: R.Tensor((g, n), dtype="float16") = R.match_cast(u, R.Tensor((g, n), dtype="float16"))
        s: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(2), R.prim_value(1), R.prim_value(0), sinfo_args=(R.Shape(ndim=2),))
        return x
