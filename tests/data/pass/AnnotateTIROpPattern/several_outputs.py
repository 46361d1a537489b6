# One program with two outputs.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def split(x: T.handle, y: T.handle, z: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n, T.int64(4)))
        Z = T.match_buffer(z, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj]
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("b2"):
                vi, vj = T.axis.remap("SS", [i, j])
                Z[vi, vj] = X[vi, vj + T.int64(4)]
