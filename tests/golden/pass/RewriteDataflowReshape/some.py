# RUN: relax opt --pass RewriteDataflowReshape %s
# A program that keeps the row-major order is a view; a transpose is none; an output of its block is copied.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def flat(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        m = T.int64()
        a = T.match_buffer(var_a, (n, m), "float32")
        b = T.match_buffer(var_b, (n * m,), "float32")
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi * m + vj] = a[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def turned(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        m = T.int64()
        a = T.match_buffer(var_a, (n, m), "float32")
        b = T.match_buffer(var_b, (m, n), "float32")
        for i, j in T.grid(m, n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vj, vi]

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tuple(R.Tensor(("n * m",), "float32"), R.Tensor(("n * m",), "float32"), R.Tensor(("m", "n"), "float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.call_tir(cls.flat, (a,), out_sinfo=R.Tensor((n * m,), "float32"))
            c = R.exp(b)
            d = R.call_tir(cls.flat, (a,), out_sinfo=R.Tensor((n * m,), "float32"))
            e = R.call_tir(cls.turned, (a,), out_sinfo=R.Tensor((m, n), "float32"))
            f = R.exp(e)
            R.output(c, d, f)
        return (c, d, f)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def flat(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        m = T.int64()
        a = T.match_buffer(var_a, (n, m))
        b = T.match_buffer(var_b, (n * m,))
        # with T.sblock("root"):
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi * m + vj] = a[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def turned(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        m = T.int64()
        a = T.match_buffer(var_a, (n, m))
        b = T.match_buffer(var_b, (m, n))
        # with T.sblock("root"):
        for i, j in T.grid(m, n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vj, vi]

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tuple(R.Tensor(("n * m",), dtype="float32"), R.Tensor(("n * m",), dtype="float32"), R.Tensor(("m", "n"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n, m), dtype="float32") = R.exp(x)
            b: R.Tensor((n * m,), dtype="float32") = R.reshape(a, R.shape([n * m]))
            c: R.Tensor((n * m,), dtype="float32") = R.exp(b)
            d = R.call_tir(cls.flat, (a,), out_sinfo=R.Tensor((n * m,), dtype="float32"))
            e = R.call_tir(cls.turned, (a,), out_sinfo=R.Tensor((m, n), dtype="float32"))
            f: R.Tensor((m, n), dtype="float32") = R.exp(e)
            R.output(c, d, f)
        return (c, d, f)
