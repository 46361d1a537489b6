@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(a: T.handle, n: T.int64):
        m = T.int64(is_size_var=True)
        A = T.match_buffer(a, (m, n))
        for i, j in T.grid(m, n):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = T.float32(0)
