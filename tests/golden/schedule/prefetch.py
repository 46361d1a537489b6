# RUN: relax schedule --check --do 'b0 = block("C"); l1 = loop(b0, 1); prefetch(l1, 4096)' %s
# What the loop reads is asked for a page ahead.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 64))
        C = T.match_buffer(c, (n,))
        for i, r in T.grid(n, 64):
            with T.sblock("C"):
                vi, vr = T.axis.remap("SR", [i, r])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vr]
# WANT:
# main: trace
# b0 = block("C")
# l1 = loop(b0, 1)
# prefetch(l1, 4096)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 64))
        C = T.match_buffer(c, (n,))
        # with T.sblock("root"):
        for i in range(n):
            for r in T.serial(64, annotations={"prefetch": 4096}):
                with T.sblock("C"):
                    vi, vr = T.axis.remap("SR", [i, r])
                    with T.init():
                        C[vi] = T.float32(0.0)
                    C[vi] = C[vi] + A[vi, vr]
