# Several functions, calls between them, private ones.
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
    def sub(x: R.Tensor(("m", 2), "float32")) -> R.Tensor(("m * 2",), "float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        y = R.reshape(x, R.shape([m * 2]))
        return y

    @R.function
    def main(x: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n * 2",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        y = cls.sub(x)
        s0: R.Object = R.memory.alloc_storage(R.shape([n * 8]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n * 2,), dtype="float32") = R.memory.alloc_tensor(s0, R.prim_value(0), R.shape([n * 2]), R.dtype("float32"), R.prim_value(0))
        cls.inc(y, a)
        R.memory.kill_tensor(y)
        R.memory.kill_storage(s0)
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

    @R.function(private=True)
    def sub(x: R.Tensor(("m", 2), dtype="float32")) -> R.Tensor(("m * 2",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        y: R.Tensor((m * 2,), dtype="float32") = R.call_packed("vm.builtin.reshape", x, R.shape([m * 2]), sinfo_args=(R.Tensor((m * 2,), dtype="float32"),))
        return y

    @R.function
    def main(x: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor(("n * 2",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        y: R.Tensor((n * 2,), dtype="float32") = cls.sub(x)
        s0: R.Object = R.vm.alloc_storage(R.shape([n * 8]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        a: R.Tensor((n * 2,), dtype="float32") = R.vm.alloc_tensor(s0, R.prim_value(0), R.shape([n * 2]), R.dtype("float32"), R.prim_value(0))
        cls.inc(y, a)
        R.vm.kill_object(y)
        R.vm.kill_object(s0)
        return a
