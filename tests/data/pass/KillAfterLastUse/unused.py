# What nobody uses is not given up, whatever it is.
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
    def main(x: R.Tensor(("n",), "float32"), s: R.Shape(["k"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s0: R.Object = R.memory.alloc_storage(R.shape([n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        o: R.Object = R.call_packed("g", x, sinfo_args=(R.Object,))
        q: R.Tensor((n,), "float32") = R.call_packed("h", x, sinfo_args=(R.Tensor((n,), "float32"),))
        p = R.prim_value(k)
        sh = R.shape([n, k])
        t = (x, q)
        b = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, b)
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

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        s0: R.Object = R.memory.alloc_storage(R.shape([n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        o: R.Object = R.call_packed("g", x, sinfo_args=(R.Object,))
        q: R.Tensor((n,), dtype="float32") = R.call_packed("h", x, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        p: R.Prim(value=k) = R.prim_value(k)
        sh: R.Shape([n, k]) = R.shape([n, k])
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = x, q
        R.memory.kill_tensor(q)
        b: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(x, b)
        return b
