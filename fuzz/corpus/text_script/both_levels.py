@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add_one(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("add"):
                v = T.axis.spatial(n, i)
                T.reads(X[v])
                T.writes(Y[v])
                Y[v] = X[v] + T.float32(1)

    @R.function(private=True)
    def fused(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.add_one, (x,), out_sinfo=R.Tensor((n,), "float32"))
            b = R.call_tir(cls.add_one, (a,), out_sinfo=R.Tensor((n,), "float32"))
            R.output(b)
        return b

    @R.function
    def main(x: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m * 4",), "float32"):
        m = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            a = R.reshape(x, R.shape([m * 4]))
            b = cls.fused(a)
            R.output(b)
        return b
