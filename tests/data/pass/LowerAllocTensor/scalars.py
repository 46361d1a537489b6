# Calls with scalars, and an allocation as the last thing of a function.
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

    @R.function
    def main(x: R.Tensor(("n",), "float32"), s: R.Shape(["k"])) -> R.Tensor(("n + k",), "float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        R.vm.call_tir_dyn(cls.shift, (x, a, R.shape([k * 2])))
        d = R.shape([n + k])
        _: R.Object = R.call_packed("k", a, d)
        b = R.builtin.alloc_tensor(R.shape([n + k]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
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
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor(("n + k",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
        R.vm.call_tir_dyn(cls.shift, (x, a, R.shape([k * 2])))
        d: R.Shape([n + k]) = R.shape([n + k])
        _: R.Object = R.call_packed("k", a, d)
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * (n + k)]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b: R.Tensor((n + k,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n + k]), R.dtype("float32"), R.prim_value(0))
        return b
