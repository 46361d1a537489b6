# A tuple that a call returns: items of it are used at other times.
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
        t: R.Tuple(R.Tensor((n,), "float32"), R.Tensor((n,), "float32")) = R.call_packed("two", x, sinfo_args=(R.Tuple(R.Tensor((n,), "float32"), R.Tensor((n,), "float32")),))
        a = t[0]
        b = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        c = t[1]
        d = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(c, d)
        o: R.Object = R.call_packed("g", b, d, sinfo_args=(R.Object,))
        p: R.Object = R.call_packed("g", o, o, sinfo_args=(R.Object,))
        e = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", p, b, e)
        return e
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
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = R.call_packed("two", x, sinfo_args=(R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")),))
        a: R.Tensor((n,), dtype="float32") = t[0]
        b: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        R.memory.kill_tensor(a)
        c: R.Tensor((n,), dtype="float32") = t[1]
        R.vm.kill_object(t)
        d: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(c, d)
        R.memory.kill_tensor(c)
        o: R.Object = R.call_packed("g", b, d, sinfo_args=(R.Object,))
        R.memory.kill_tensor(d)
        p: R.Object = R.call_packed("g", o, o, sinfo_args=(R.Object,))
        R.vm.kill_object(o)
        e: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Object = R.call_packed("k", p, b, e)
        R.memory.kill_tensor(b)
        R.vm.kill_object(p)
        return e
