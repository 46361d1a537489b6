# Bounds of symbols give constant sizes; a storage that is too small grows, one that is much too large is not taken.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True, "tir_var_upper_bound": {"n": 20}})
        a = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("f", x, a)
        b = R.builtin.alloc_tensor(R.shape([10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Object = R.call_packed("g", a, b)
        c = R.builtin.alloc_tensor(R.shape([n, 6]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _2: R.Object = R.call_packed("h", b, c)
        d = R.builtin.alloc_tensor(R.shape([4000]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _3: R.Object = R.call_packed("h", c, d)
        e = R.builtin.alloc_tensor(R.shape([2]), R.dtype("int8"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("h", d, e)
        f = R.builtin.alloc_tensor(R.shape([1, n]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        _5: R.Object = R.call_packed("h", e, f)
        g = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("h", f, g)
        return g
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True, "tir_var_upper_bound": {"n": 20}})
        storage: R.Object = R.memory.alloc_storage(R.shape([480]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 4]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("f", x, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([40]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((10,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([10]), R.dtype("float32"), R.prim_value(0))
        _1: R.Object = R.call_packed("g", a, b)
        c: R.Tensor((n, 6), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 6]), R.dtype("float32"), R.prim_value(0))
        _2: R.Object = R.call_packed("h", b, c)
        storage2: R.Object = R.memory.alloc_storage(R.shape([16000]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        d: R.Tensor((4000,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([4000]), R.dtype("float32"), R.prim_value(0))
        _3: R.Object = R.call_packed("h", c, d)
        storage3: R.Object = R.memory.alloc_storage(R.shape([2]), R.prim_value(0), R.str("global"), R.dtype("int8"))
        e: R.Tensor((2,), dtype="int8") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([2]), R.dtype("int8"), R.prim_value(0))
        _4: R.Object = R.call_packed("h", d, e)
        storage4: R.Object = R.memory.alloc_storage(R.shape([40]), R.prim_value(0), R.str("global"), R.dtype("float16"))
        f: R.Tensor((1, n), dtype="float16") = R.memory.alloc_tensor(storage4, R.prim_value(0), R.shape([1, n]), R.dtype("float16"), R.prim_value(0))
        _5: R.Object = R.call_packed("h", e, f)
        g: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("h", f, g)
        return g
