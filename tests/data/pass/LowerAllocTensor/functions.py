# Several functions; the same name in each; a tensor that nobody uses; one in a tuple.
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

    @R.function(private=True)
    def sub(x: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, alloc)
        return alloc

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor((2, "n"), "int32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        u = R.builtin.alloc_tensor(R.shape([n, 7]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, alloc)
        y = cls.sub(alloc)
        v = R.builtin.alloc_tensor(R.shape([2, n]), R.dtype("int32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", x, v)
        t = (y, v)
        return t
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

    @R.function(private=True)
    def sub(x: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * m]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc: R.Tensor((m,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([m]), R.dtype("float32"), R.prim_value(0))
        cls.inc(x, alloc)
        return alloc

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor((2, "n"), dtype="int32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * n * 7]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        u: R.Tensor((n, 7), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, 7]), R.dtype("float32"), R.prim_value(0))
        cls.inc(x, alloc)
        y: R.Tensor((n,), dtype="float32") = cls.sub(alloc)
        storage2: R.Object = R.memory.alloc_storage(R.shape([8 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        v: R.Tensor((2, n), dtype="int32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([2, n]), R.dtype("int32"), R.prim_value(0))
        _: R.Object = R.call_packed("k", x, v)
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((2, n), dtype="int32")) = y, v
        return t
