# RUN: relax schedule --check --do 'b0 = block("C"); pad_einsum(b0, [8, 1, 16])' %s
# Rows and the sum run on to multiples; columns stay, so B grows along the sum alone.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        k = T.int64()
        A = T.match_buffer(a, (n, k))
        B = T.match_buffer(b, (k, 12))
        C = T.match_buffer(c, (n, 12))
        for i, j, r in T.grid(n, 12, k):
            with T.sblock("C"):
                vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vr] * B[vr, vj]
# WANT:
# main: trace
# b0 = block("C")
# pad_einsum(b0, [8, 1, 16])
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        k = T.int64()
        A = T.match_buffer(a, (n, k))
        B = T.match_buffer(b, (k, 12))
        C = T.match_buffer(c, (n, 12))
        # with T.sblock("root"):
        A_pad = T.sblock_alloc_buffer(((n + T.int64(7)) // T.int64(8) * T.int64(8), (k + T.int64(15)) // T.int64(16) * T.int64(16)))
        B_pad = T.sblock_alloc_buffer(((k + T.int64(15)) // T.int64(16) * T.int64(16), 12))
        C_pad = T.sblock_alloc_buffer(((n + T.int64(7)) // T.int64(8) * T.int64(8), 12))
        for ax0, ax1 in T.grid((n + T.int64(7)) // T.int64(8) * T.int64(8), (k + T.int64(15)) // T.int64(16) * T.int64(16)):
            with T.sblock("A_pad"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                A_pad[v0, v1] = T.if_then_else(v0 < n and v1 < k, A[v0, v1], T.float32(0.0))
        for ax0, ax1 in T.grid((k + T.int64(15)) // T.int64(16) * T.int64(16), 12):
            with T.sblock("B_pad"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                B_pad[v0, v1] = T.if_then_else(v0 < k, B[v0, v1], T.float32(0.0))
        for i, j, r in T.grid((n + T.int64(7)) // T.int64(8) * T.int64(8), 12, (k + T.int64(15)) // T.int64(16) * T.int64(16)):
            with T.sblock("C"):
                vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                with T.init():
                    C_pad[vi, vj] = T.float32(0.0)
                C_pad[vi, vj] = C_pad[vi, vj] + A_pad[vi, vr] * B_pad[vr, vj]
        for ax0, ax1 in T.grid(n, 12):
            with T.sblock("C_pad"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                C[v0, v1] = C_pad[v0, v1]
