# A view keeps what it shows alive; a storage lives as long as its tensors are made.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                y[vi] = x[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        cls.f(x, a)
        v = R.reshape(a, R.shape([2, 2]))
        b: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(16), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        w = R.reshape(v, R.shape([4]))
        cls.f(w, b)
        r = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.f(b, r)
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        cls.f(x, a)
        v: R.Tensor((2, 2), dtype="float32") = R.reshape(a, R.shape([2, 2]))
        R.memory.kill_tensor(a)
        b: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(16), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(s)
        w: R.Tensor((4,), dtype="float32") = R.reshape(v, R.shape([4]))
        R.memory.kill_tensor(v)
        cls.f(w, b)
        R.memory.kill_tensor(w)
        r: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.f(b, r)
        R.memory.kill_tensor(b)
        return r
