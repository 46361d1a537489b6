# Inside of ifs.
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
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if c:
            s: R.Object = R.memory.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.str("global"), R.dtype("float32"))
            a: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
            R.memory.kill_storage(s)
            cls.inc(x, a)
            z = a
        else:
            v = R.reshape(x, R.shape([n]))
            z = v
        return z
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
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        if c:
            s: R.Object = R.vm.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
            a: R.Tensor((n,), dtype="float32") = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([n]), R.dtype("float32"), R.prim_value(0))
            R.vm.kill_object(s)
            cls.inc(x, a)
            z: R.Tensor((n,), dtype="float32") = a
        else:
            v: R.Tensor((n,), dtype="float32") = R.call_packed("vm.builtin.reshape", x, R.shape([n]), sinfo_args=(R.Tensor((n,), dtype="float32"),))
            z: R.Tensor((n,), dtype="float32") = v
        return z
