# A local buffer has a size that is known before the program runs.
# RUN: relax compile %s -o x.rlx --target cpu:host
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_x: T.handle, var_i: T.handle, var_y: T.handle):
        n = T.int64()
        m = T.int64()
        x = T.match_buffer(var_x, (n,))
        k = T.match_buffer(var_i, (m,), "int64")
        y = T.match_buffer(var_y, (n,))
        t = T.sblock_alloc_buffer((k[T.int64(0)],))
        for i in range(n):
            y[i] = x[i]
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), k: R.Tensor(("m",), dtype="int64")):
        n = T.int64()
        m = T.int64()
        cls = Module
        gv = R.call_tir(cls.f, (x, k), out_sinfo=R.Tensor((n,), dtype="float32"))
        return gv
# WANT:
read_size.py:14:9: error: f: the size of local buffer t is read from memory, which is not known when the kernel is launched; give it as a dim of an argument, or as a scalar
            for i in range(n):
            ^
