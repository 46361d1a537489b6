# DIFFERS: TVM passes its machine along when a closure is called; ours has it anyway
# A closure that is made and called.
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
    def lifted(x: R.Tensor(("m",), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        R.func_attr({"relax.force_pure": True})
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Object:
        R.func_attr({"relax.force_pure": True})
        cls = Module
        f: R.Object = R.make_closure(cls.lifted, (x,))
        y: R.Object = R.invoke_closure(f, (x,), sinfo_args=(R.Object,))
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

    @R.function(private=True)
    def lifted(x: R.Tensor(("m",), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
        m = T.int64()
        R.func_attr({"relax.force_pure": True})
        return y

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Object:
        R.func_attr({"relax.force_pure": True})
        cls = Module
        f: R.Object = R.call_packed("vm.builtin.make_closure", cls.lifted, x, sinfo_args=(R.Object,))
        y: R.Object = R.call_builtin_with_ctx("vm.builtin.invoke_closure", (f, x), sinfo_args=(R.Object,))
        return y
