# DIFFERS: calls with scalars stay calls of their programs: the machine makes them without a function between
# Calls with scalars, and of programs and libraries, keep their form.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shift(a: T.handle, b: T.handle, k: T.int64):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                y[vi] = x[vi] + T.Cast("float32", k)

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
    def main(x: R.Tensor(("n",), "float32"), s: R.Shape(["k"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s0: R.Object = R.memory.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(s0, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        R.vm.call_tir_dyn(cls.shift, (x, a, R.shape([k])))
        s1: R.Object = R.memory.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        cls.inc(a, b)
        _: R.Object = R.call_packed("k", b, R.prim_value(3), R.str("word"), R.dtype("float16"))
        return b
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

    @T.prim_func(private=True, s_tir=True)
    def shift(a: T.handle, b: T.handle, k: T.int64):
        n = T.int64()
        x = T.match_buffer(a, (n,))
        y = T.match_buffer(b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.Cast("float32", k)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s0: R.Object = R.vm.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        a: R.Tensor((n,), dtype="float32") = R.vm.alloc_tensor(s0, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        R.call_packed("vm.builtin.call_tir_dyn", cls.shift, x, a, R.shape([k]), sinfo_args=(R.Tuple,))
        s1: R.Object = R.vm.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        b: R.Tensor((n,), dtype="float32") = R.vm.alloc_tensor(s1, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        cls.inc(a, b)
        _: R.Object = R.call_packed("k", b, R.prim_value(3), R.str("word"), R.dtype("float16"))
        return b
