# What is returned is not planned, in tuples neither, under second names neither.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                y[vi] = x[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((16,), "float32")) -> R.Tuple(R.Tensor((16,), "float32"), R.Tuple(R.Tensor((16,), "float32"), R.Tensor((4, 4), "float32"))):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, a)
        b = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        b1 = b
        c = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(b, c)
        v = R.reshape(c, R.shape([4, 4]))
        d = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(c, d)
        e = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(d, e)
        t = (b1, v)
        u = (e, t)
        return u
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(a: T.handle, b: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((16,), dtype="float32")) -> R.Tuple(R.Tensor((16,), dtype="float32"), R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((4, 4), dtype="float32"))):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(0))
        cls.inc(x, a)
        b: R.Tensor((16,), dtype="float32") = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        b1: R.Tensor((16,), dtype="float32") = b
        c: R.Tensor((16,), dtype="float32") = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(b, c)
        v: R.Tensor((4, 4), dtype="float32") = R.reshape(c, R.shape([4, 4]))
        d: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(0))
        cls.inc(c, d)
        e: R.Tensor((16,), dtype="float32") = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(d, e)
        t: R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = b1, v
        u: R.Tuple(R.Tensor((16,), dtype="float32"), R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((4, 4), dtype="float32"))) = e, t
        return u
