# A public one stays.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n,), "float32")
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                b[vi] = a[vi] + a[vi]

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,))
        b = T.match_buffer(var_b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                T.reads(a[vi])
                T.writes(b[vi])
                b[vi] = a[vi] + a[vi]

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
        return a
