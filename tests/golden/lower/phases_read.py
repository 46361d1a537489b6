# What stands before the loop may not read what the loop writes, either: a worker that begins late would read the results of
# others.
# RUN: relax compile %s -o m.rlx
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(var_x: T.handle, var_y: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.first_phase": "x"})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 8))
        y = T.match_buffer(var_y, (n, 8))
        with T.block("root"):
            s = T.alloc_buffer((8,), scope="local")
            for j in range(8):
                s[j] = x[0, j]
            for i in T.parallel(n):
                for j in range(8):
                    x[i, j] = x[i, j] + s[j]
                    y[i, j] = s[j]

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32")):
        n = T.int64()
        cls = Module
        z = cls.f(x, y)
        return y
# WANT:
phases_read.py:8:9: error: SplitLaunches: f: several phases use s; run LiftWorkspace first
        def f(var_x: T.handle, var_y: T.handle):
            ^
