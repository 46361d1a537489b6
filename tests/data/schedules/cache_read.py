# RUN: b0 = block("C"); b1 = cache_read(b0, 1, "global")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((32, 48), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 48))
        # with T.sblock("root"):
        B_global = T.sblock_alloc_buffer((32, 48))
        for ax0, ax1 in T.grid(32, 48):
            with T.sblock("B_global"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(B[v0, v1])
                T.writes(B_global[v0, v1])
                B_global[v0, v1] = B[v0, v1]
        for i, j, k in T.grid(n, 48, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B_global[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B_global[vk, vj]
