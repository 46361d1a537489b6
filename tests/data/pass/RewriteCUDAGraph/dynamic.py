# No static storage, nothing to capture.
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
        R.func_attr({"relax.force_pure": True})
        cls = Module
        m = T.int64()
        storage = R.memory.alloc_storage(R.shape([m * 16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        _ = cls.exp(x, a)
        storage1 = R.memory.alloc_storage(R.shape([m * 16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        _ = cls.exp(a, b)
        e = R.builtin.alloc_tensor(R.shape([m, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _ = cls.exp(b, e)
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

    @R.function
    def main(x: R.Tensor(("m", 4), dtype="float32")) -> R.Tensor(("m", 4), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([m * 16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((m, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        cls.exp(x, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([m * 16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((m, 4), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([m, 4]), R.dtype("float32"), R.prim_value(0))
        cls.exp(a, b)
        e: R.Tensor((m, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([m, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.exp(b, e)
        return e
