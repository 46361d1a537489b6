# RUN: b0 = block("C"); pad_einsum(b0, [1, 16])
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 12))
        C = T.match_buffer(c, (n,))
        # with T.sblock("root"):
        A_pad = T.sblock_alloc_buffer((n, 16))
        for i0, i1 in T.grid(n, 16):
            with T.sblock("A_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(A[v0, v1])
                T.writes(A_pad[v0, v1])
                A_pad[v0, v1] = T.if_then_else(v1 < 12, A[v0, v1], T.float32(0.0))
        for i, r in T.grid(n, 16):
            with T.sblock("C"):
                vi, vr = T.axis.remap("SR", [i, r])
                T.reads(A_pad[vi, vr])
                T.writes(C[vi])
                with T.init():
                    C[vi] = T.float32(-100.0)
                C[vi] = T.max(C[vi], A_pad[vi, vr])
