# Symbols that are named may be captured; they are passed as a shape.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_y: T.handle):
        m = T.int64()
        x = T.match_buffer(var_x, (m, T.int64(4)))
        y = T.match_buffer(var_y, (m, T.int64(4)))
        for i, j in T.grid(m, T.int64(4)):
            with T.sblock("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.exp(x[vi, vj])

    @R.function
    def main(x: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m", 4), "float32"):
        R.func_attr({"relax.force_pure": True, "relax.rewrite_cuda_graph.capture_symbolic_vars": ["m"], "tir_var_upper_bound": {"m": 32}})
        cls = Module
        m = T.int64()
        storage = R.memory.alloc_storage(R.shape([512]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        _ = cls.exp(x, a)
        storage1 = R.memory.alloc_storage(R.shape([512]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        _ = cls.exp(a, b)
        c = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        _ = cls.exp(b, c)
        e = R.builtin.alloc_tensor(R.shape([m, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _ = cls.exp(c, e)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_y: T.handle):
        m = T.int64()
        x = T.match_buffer(var_x, (m, T.int64(4)))
        y = T.match_buffer(var_y, (m, T.int64(4)))
        # with T.sblock("root"):
        for i, j in T.grid(m, T.int64(4)):
            with T.sblock("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = T.exp(x[vi, vj])

    @R.function(private=True)
    def cuda_graph_alloc() -> R.Tuple(R.Object, R.Object):
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([512]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        storage1: R.Object = R.memory.alloc_storage(R.shape([512]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        gv: R.Tuple(R.Object, R.Object) = storage, storage1
        return gv

    @R.function(private=True)
    def main_cuda_graph_capture(a: R.Tensor(("m", 4), dtype="float32"), b: R.Tensor(("m", 4), dtype="float32"), storage: R.Object, shape_expr: R.Shape(["m"])) -> R.Tuple(R.Tensor(("m", 4), dtype="float32")):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        cls.exp(a, b)
        c: R.Tensor((m, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        cls.exp(b, c)
        gv: R.Tuple(R.Tensor((m, 4), dtype="float32")) = (c,)
        return gv

    @R.function
    def main(x: R.Tensor(("m", 4), dtype="float32")) -> R.Tensor(("m", 4), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True, "relax.rewrite_cuda_graph.capture_symbolic_vars": ["m"], "tir_var_upper_bound": {"m": 32}})
        cls = Module
        gv: R.Tuple(R.Object, R.Object) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.cuda_graph_alloc, R.prim_value(0)), sinfo_args=(R.Tuple(R.Object, R.Object),))
        storage: R.Object = gv[0]
        a: R.Tensor((m, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        cls.exp(x, a)
        storage1: R.Object = gv[1]
        b: R.Tensor((m, 4), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        gv1: R.Tuple(R.Tensor((m, 4), dtype="float32")) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.run_or_capture", (cls.main_cuda_graph_capture, (a, b, storage, R.shape([m])), R.prim_value(0), R.shape([m])), sinfo_args=(R.Tuple(R.Tensor((m, 4), dtype="float32")),))
        c: R.Tensor((m, 4), dtype="float32") = gv1[0]
        e: R.Tensor((m, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([m, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.exp(c, e)
        return e
