# Several functions; what is given to a function of the graph, or twice to one call.
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
    def sub(a: R.Tensor(("m",), "float32"), b: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        t = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, t)
        r = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(t, r)
        return r

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, a)
        b = cls.sub(a, a)
        c = cls.sub(b, x)
        d = cls.sub(c, b)
        return d

    @R.function
    def id(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"relax.force_pure": True})
        y = x
        return y
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
    def id(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        return x

    @R.function(private=True)
    def sub(a: R.Tensor(("m",), dtype="float32"), b: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        t: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, t)
        r: R.Tensor((m,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(t, r)
        R.memory.kill_tensor(t)
        return r

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, a)
        b: R.Tensor((n,), dtype="float32") = cls.sub(a, a)
        R.memory.kill_tensor(a)
        c: R.Tensor((n,), dtype="float32") = cls.sub(b, x)
        d: R.Tensor((n,), dtype="float32") = cls.sub(c, b)
        R.memory.kill_tensor(b)
        R.memory.kill_tensor(c)
        return d
