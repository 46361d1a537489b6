# Storages of constant and symbolic sizes, tensors at offsets in them, what gives them up.
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
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s: R.Object = R.memory.alloc_storage(R.shape([n * 4 + 64]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(64), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        s1: R.Object = R.memory.alloc_storage(R.shape([256]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((2, 4), dtype="float16") = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float16"), R.prim_value(0))
        R.memory.kill_storage(s1)
        cls.inc(x, a)
        _: R.Object = R.call_packed("k", b)
        R.memory.kill_tensor(b)
        R.memory.kill_storage(s)
        return a
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
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s: R.Object = R.vm.alloc_storage(R.shape([n * 4 + 64]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        a: R.Tensor((n,), dtype="float32") = R.vm.alloc_tensor(s, R.prim_value(64), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        s1: R.Object = R.vm.alloc_storage(R.shape([256]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        b: R.Tensor((2, 4), dtype="float16") = R.vm.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float16"), R.prim_value(0))
        R.vm.kill_object(s1)
        cls.inc(x, a)
        _: R.Object = R.call_packed("k", b)
        R.vm.kill_object(b)
        R.vm.kill_object(s)
        return a
