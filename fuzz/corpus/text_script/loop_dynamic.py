@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(a: T.handle, b: T.handle, c: T.handle, n: T.int64, k: T.int32):
        T.func_attr({"tirx.noalias": True, "op_pattern": 4})
        m = T.int64()
        A = T.match_buffer(a, (m, n), "float16")
        B = T.match_buffer(b, (n, T.int64(4)), "float16", scope="global", align=128)
        C = T.match_buffer(c, (m, n + T.int64(1)), "float32", strides=("c0", T.int64(1)), offset_factor=1)
        for i, j in T.grid(m, n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.Cast("float32", A[vi, vj] * B[vj, T.int64(0)]) + T.Cast("float32", k)
