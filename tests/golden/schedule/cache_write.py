# RUN: relax schedule --check --do 'b0 = block("C"); b1 = cache_write(b0, 0, "local")' %s
# The result is made in a local buffer, and copied behind.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((32, 48), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 48))
        for i, j, k in T.grid(n, 48, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
# WANT:
# main: trace
# b0 = block("C")
# b1 = cache_write(b0, 0, "local")
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((32, 48), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 48))
        # with T.sblock("root"):
        C_local = T.sblock_alloc_buffer((n, 48), scope="local")
        for i, j, k in T.grid(n, 48, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C_local[vi, vj] = T.float32(0.0)
                C_local[vi, vj] = C_local[vi, vj] + A[vi, vk] * B[vk, vj]
        for ax0, ax1 in T.grid(n, 48):
            with T.sblock("C_local"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                C[v0, v1] = C_local[v0, v1]
