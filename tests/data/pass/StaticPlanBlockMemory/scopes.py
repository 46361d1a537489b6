# Tensors of other devices and memory scopes share only among themselves.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16,), "float32")) -> R.Tensor((16,), "float32"):
        R.func_attr({"relax.force_pure": True})
        a = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("shared"))
        _: R.Object = R.call_packed("f", x, a)
        b = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Object = R.call_packed("f", a, b)
        c = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(1), R.str("global"))
        _2: R.Object = R.call_packed("f", b, c)
        d = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("shared"))
        _3: R.Object = R.call_packed("f", c, d)
        r = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, r)
        return r
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str("shared"), R.dtype("float32"))
        a: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(0))
        _: R.Object = R.call_packed("f", x, a)
        storage1: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(0))
        _1: R.Object = R.call_packed("f", a, b)
        storage2: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(1), R.str("global"), R.dtype("float32"))
        c: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(1))
        _2: R.Object = R.call_packed("f", b, c)
        d: R.Tensor((16,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([16]), R.dtype("float32"), R.prim_value(0))
        _3: R.Object = R.call_packed("f", c, d)
        r: R.Tensor((16,), dtype="float32") = R.builtin.alloc_tensor(R.shape([16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f", d, r)
        return r
