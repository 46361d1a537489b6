# RUN: b0 = block("C"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = loop(b0, 2); reorder(l1, l3, l2); b8 = block("Y"); reverse_compute_at(b8, l3)
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.handle, W: T.Buffer((T.int64(20), T.int64(16)), "float32"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(20)))
        Y = T.match_buffer(y, (n, T.int64(16)))
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer((n, T.int64(16)))
        for i, k in T.grid(n, T.int64(20)):
            for j in range(T.int64(16)):
                with T.sblock("C"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    T.reads(X[vi, vk], W[vk, vj])
                    T.writes(C[vi, vj])
                    with T.init():
                        C[vi, vj] = T.float32(0.0)
                    C[vi, vj] = C[vi, vj] + X[vi, vk] * W[vk, vj]
            for ax0 in range(T.int64(16)):
                with T.sblock("Y"):
                    vi, vj = T.axis.remap("SS", [i, ax0])
                    T.reads(C[vi, vj])
                    T.writes(Y[vi, vj])
                    Y[vi, vj] = T.max(C[vi, vj], T.float32(0.0))
