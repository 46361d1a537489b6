# RUN: b0 = block("C"); pad_einsum(b0, [8, 1, 16])
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle, c: T.handle):
        n, k = T.int64(), T.int64()
        A = T.match_buffer(a, (n, k))
        B = T.match_buffer(b, (k, 12))
        C = T.match_buffer(c, (n, 12))
        # with T.sblock("root"):
        A_pad = T.sblock_alloc_buffer(((n + T.int64(7)) // T.int64(8) * T.int64(8), (k + T.int64(15)) // T.int64(16) * T.int64(16)))
        B_pad = T.sblock_alloc_buffer(((k + T.int64(15)) // T.int64(16) * T.int64(16), 12))
        C_pad = T.sblock_alloc_buffer(((n + T.int64(7)) // T.int64(8) * T.int64(8), 12))
        for i0, i1 in T.grid((n + T.int64(7)) // T.int64(8) * T.int64(8), (k + T.int64(15)) // T.int64(16) * T.int64(16)):
            with T.sblock("A_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(A[v0, v1])
                T.writes(A_pad[v0, v1])
                A_pad[v0, v1] = T.if_then_else(v0 < n and v1 < k, A[v0, v1], T.float32(0.0))
        for i0, i1 in T.grid((k + T.int64(15)) // T.int64(16) * T.int64(16), 12):
            with T.sblock("B_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(B[v0, v1])
                T.writes(B_pad[v0, v1])
                B_pad[v0, v1] = T.if_then_else(v0 < k, B[v0, v1], T.float32(0.0))
        for i, j, r in T.grid((n + T.int64(7)) // T.int64(8) * T.int64(8), 12, (k + T.int64(15)) // T.int64(16) * T.int64(16)):
            with T.sblock("C"):
                vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                T.reads(A_pad[vi, vr], B_pad[vr, vj])
                T.writes(C_pad[vi, vj])
                with T.init():
                    C_pad[vi, vj] = T.float32(0.0)
                C_pad[vi, vj] = C_pad[vi, vj] + A_pad[vi, vr] * B_pad[vr, vj]
        for i0, i1 in T.grid(n, 12):
            with T.sblock("C_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(C_pad[v0, v1])
                T.writes(C[v0, v1])
                C[v0, v1] = C_pad[v0, v1]
