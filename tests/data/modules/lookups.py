# Bytes of words looked up: among 16 that stand in the program, and in codebooks of 256, 512 and 2048 entries. The words are
# hashed first, so that all entries are met. Of an entry's number, the low or the high byte may be one for all.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def small(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("small"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_bytes(A[vi, vj] * T.uint32(2654435761), T.uint32(0x83020100), T.uint32(0x07760504), T.uint32(0x0b0a0998), T.uint32(0xff0e0d0c))
    @T.prim_func(private=True)
    def masked(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("masked"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_bytes(T.bitwise_and(A[vi, vj] * T.uint32(2654435761), T.uint32(0x0f07030f)), T.uint32(0x83020100), T.uint32(0x07760504), T.uint32(0x0b0a0998), T.uint32(0xff0e0d0c))
    @T.prim_func(private=True)
    def whole(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("whole"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_grid("iq2_xxs_grid", A[vi, vj] * T.uint32(2654435761), T.uint32(0), 0) + T.lookup_grid("iq2_xxs_grid", A[vi, vj] * T.uint32(2246822519), T.uint32(0), 1)
    @T.prim_func(private=True)
    def two(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("two"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_grid("iq3_s_grid", A[vi, vj] * T.uint32(2654435761), A[vi, vj] * T.uint32(2246822519), 0)
    @T.prim_func(private=True)
    def eight(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("eight"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_grid("iq1_s_grid", A[vi, vj] * T.uint32(2654435761), A[vi, vj] * T.uint32(2246822519), 1)
    @T.prim_func(private=True)
    def high(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("high"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_grid("iq2_s_grid", A[vi, vj] * T.uint32(2654435761), A[vi, 0] * T.uint32(2246822519), 1) + T.lookup_grid("iq1_s_grid", A[vi, vj] * T.uint32(2654435761), T.uint32(0x07050301), 0)
    @T.prim_func(private=True)
    def low(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(48)), "uint32")
        C = T.match_buffer(c, (n, T.int64(48)), "uint32")
        for i, j in T.grid(n, T.int64(48)):
            with T.sblock("low"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.lookup_grid("iq1_s_grid", A[vi, 1], A[vi, vj] * T.uint32(2246822519), 0) + T.lookup_grid("iq3_s_grid", A[vi, 1], A[vi, 2], 1)
    @R.function
    def main(u: R.Tensor(("n", 48), "uint32")):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.small, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        b = R.call_tir(cls.masked, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        c = R.call_tir(cls.whole, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        d = R.call_tir(cls.two, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        e = R.call_tir(cls.eight, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        f = R.call_tir(cls.high, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        g = R.call_tir(cls.low, (u,), out_sinfo=R.Tensor((n, 48), "uint32"))
        return (a, b, c, d, e, f, g)
