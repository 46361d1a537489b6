# Dot products of bytes in words, of every pair of signs, over vectors of several lengths. The words are hashed first, so
# that all of their bits count.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def dot_ss(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "int32")
        B = T.match_buffer(b, (n, T.int64(48)), "int32")
        C = T.match_buffer(c, (n, T.int64(48)), "int32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("dot"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.dp4a("int32", A[vi, vj] * T.Cast("int32", T.uint32(2654435761)), B[vi, vj] * T.Cast("int32", T.uint32(2246822519)), T.Cast("int32", vj))
    @T.prim_func(private=True)
    def dot_su(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "int32")
        B = T.match_buffer(b, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "int32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("dot"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.dp4a("int32", A[vi, vj] * T.Cast("int32", T.uint32(2654435761)), B[vi, vj] * T.Cast("uint32", T.uint32(2246822519)), T.Cast("int32", vj))
    @T.prim_func(private=True)
    def dot_us(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        B = T.match_buffer(b, (n, T.int64(48)), "int32")
        C = T.match_buffer(c, (n, T.int64(48)), "int32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("dot"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.dp4a("int32", A[vi, vj] * T.Cast("uint32", T.uint32(2654435761)), B[vi, vj] * T.Cast("int32", T.uint32(2246822519)), T.Cast("int32", vj))
    @T.prim_func(private=True)
    def dot_uu(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        B = T.match_buffer(b, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "int32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("dot"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.dp4a("int32", A[vi, vj] * T.Cast("uint32", T.uint32(2654435761)), B[vi, vj] * T.Cast("uint32", T.uint32(2246822519)), T.Cast("int32", vj))
    @R.function
    def main(s: R.Tensor(("n", 48), "int32"), u: R.Tensor(("n", 48), "uint32")):
        n = T.int64()
        cls = Module
        ss = R.call_tir(cls.dot_ss, (s, s), out_sinfo=R.Tensor((n, 48), "int32"))
        su = R.call_tir(cls.dot_su, (s, u), out_sinfo=R.Tensor((n, 48), "int32"))
        us = R.call_tir(cls.dot_us, (u, s), out_sinfo=R.Tensor((n, 48), "int32"))
        uu = R.call_tir(cls.dot_uu, (u, u), out_sinfo=R.Tensor((n, 48), "int32"))
        return (ss, su, us, uu)
