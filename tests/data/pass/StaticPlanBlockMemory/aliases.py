# Views and tuples keep memory alive; what a function of the module is given is not planned.

@I.ir_module
class Module:
    @R.function(private=True)
    def sub(a: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        R.func_attr({"relax.force_pure": True})
        return a

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("f", x, a)
        v = R.reshape(a, R.shape([2, 4]))
        b = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Object = R.call_packed("f", x, b)
        c = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _2: R.Object = R.call_packed("f", v, c)
        t = (b, c)
        d = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b1 = t[0]
        _3: R.Object = R.call_packed("f", b1, d)
        e = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, e)
        s = cls.sub(e)
        g = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _5: R.Object = R.call_packed("f", s, g)
        h = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, h)
        return h
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(a: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        return a

    @R.function
    def main(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((8,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([8]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("f", x, a)
        v: R.Tensor((2, 4), dtype="float32") = R.reshape(a, R.shape([2, 4]))
        storage1: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((8,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([8]), R.dtype("float32"), R.prim_value(0))
        _1: R.Object = R.call_packed("f", x, b)
        storage2: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        c: R.Tensor((8,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([8]), R.dtype("float32"), R.prim_value(0))
        _2: R.Object = R.call_packed("f", v, c)
        t: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((8,), dtype="float32")) = b, c
        d: R.Tensor((8,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([8]), R.dtype("float32"), R.prim_value(0))
        b1: R.Tensor((8,), dtype="float32") = t[0]
        _3: R.Object = R.call_packed("f", b1, d)
        e: R.Tensor((8,), dtype="float32") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, e)
        s: R.Tensor((8,), dtype="float32") = cls.sub(e)
        g: R.Tensor((8,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([8]), R.dtype("float32"), R.prim_value(0))
        _5: R.Object = R.call_packed("f", s, g)
        h: R.Tensor((8,), dtype="float32") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _6: R.Object = R.call_packed("f", g, h)
        return h
