@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(16),), "float32"), n: T.int64, k: T.int64):
        for i in T.serial(0, 16, step=2):
            x[i] = T.float32(1)
        for i in range(2, 16, 3):
            x[i] = T.float32(1)
        for i in range(T.int64(2), n, k):
            x[i] = T.float32(1)
        for i in T.parallel(n, 16, step=3):
            x[i] = T.float32(1)
        for i in T.vectorized(0, 16, step=4):
            x[i] = T.float32(1)
        for i in T.unroll(T.int64(0), n, step=4, annotations={"a": 1}):
            x[i] = T.float32(1)
        for i in T.serial(T.int64(0), n, step=4, annotations={"a": 1}):
            for j in T.serial(i, n, step=i+T.int64(1), annotations={"a": 1}):
                x[i] = T.float32(1)
    @T.prim_func(private=True, s_tir=True)
    def g(x: T.Buffer((T.int64(16),), "float32"), y: T.Buffer((16,16), "float32"), n: T.int64, k: T.int64):
        for i in range(T.int64(0), T.int64(16), T.int64(2)):
            with T.sblock("a"):
                v = T.axis.remap("S", [i])
                x[v] = T.float32(1)
        for i in range(1, 16, 4):
            for j in range(16):
                with T.sblock("b"):
                    v, w = T.axis.remap("SS", [i, j])
                    y[v, w] = T.float32(1)
        for i in range(1, 16, 4):
            for j in range(16):
                with T.sblock("b"):
                    v = T.axis.spatial(16, i)
                    w = T.axis.spatial(16, j)
                    y[v, w] = T.float32(1)
