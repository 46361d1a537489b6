# A choice of programs, one of which has two parallel phases and a workspace between them.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def small(var_x: T.handle, var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        m = T.int64()
        X = T.match_buffer(var_x, (m, T.int64(4)))
        Y = T.match_buffer(var_y, (m,))
        for i, j in T.grid(m, T.int64(4)):
            with T.sblock("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + X[vi, vj] * T.float32(2)

    @T.prim_func(private=True, s_tir=True)
    def large(var_x: T.handle, var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        m = T.int64()
        X = T.match_buffer(var_x, (m, T.int64(4)))
        Y = T.match_buffer(var_y, (m,))
        W = T.sblock_alloc_buffer((m, T.int64(4)))
        for i in T.parallel(m):
            for j in range(T.int64(4)):
                with T.sblock("double"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    W[vi, vj] = X[vi, vj] * T.float32(2)
        for i in T.parallel(m):
            for j in range(T.int64(4)):
                with T.sblock("sum"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        Y[vi] = T.float32(0)
                    Y[vi] = Y[vi] + W[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def choose(var_x: T.handle, var_y: T.handle):
        m = T.int64()
        X = T.match_buffer(var_x, (m, T.int64(4)))
        Y = T.match_buffer(var_y, (m,))
        if m <= T.int64(2):
            Module.small(var_x, var_y)
        else:
            Module.large(var_x, var_y)

    @R.function
    def main(x: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.choose, (x,), out_sinfo=R.Tensor((m,), "float32"))
            z = R.exp(y)
            R.output(z)
        return z
