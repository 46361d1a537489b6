# Calls of a private function and of a loop program.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n,), "float32")
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                b[vi] = a[vi] + a[vi]

    @R.function(private=True)
    def helper(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.twice, (y,), out_sinfo=R.Tensor((k,), "float32"))
            R.output(a)
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = cls.helper(x)
            b = cls.helper(a)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
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

    @R.function(private=True)
    def helper(y: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.twice, (y,), out_sinfo=R.Tensor((k,), dtype="float32"))
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        a: R.Tensor((n,), dtype="float32") = cls.helper(x)
        b: R.Tensor((n,), dtype="float32") = cls.helper(a)
        return b
