# RUN: relax schedule --check --do 'b0 = block("C"); b1 = outline(b0, [1, 2]); l2 = loop(b0, 1); l3 = loop(b0, 0); reorder(l2, l3); compute_at(b1, l2); compact(l2)' %s
# A weight is decoded once for all rows it meets.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, W: T.Buffer((6, 32), "int8"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 6))
        for i, j, k in T.grid(n, 6, 32):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * (T.Cast("float32", W[vj, vk]) * T.float32(0.5))
# WANT:
# main: trace
# b0 = block("C")
# b1 = outline(b0, [1, 2])
# l2 = loop(b0, 1)
# l3 = loop(b0, 0)
# reorder(l2, l3)
# compute_at(b1, l2)
# compact(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, W: T.Buffer((6, 32), "int8"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 32))
        C = T.match_buffer(c, (n, 6))
        # with T.sblock("root"):
        for j in range(6):
            with T.sblock("C_part_local"):
                v_j = T.axis.spatial(6, j)
                C_part = T.sblock_alloc_buffer((1, 32))
                for ax1 in range(32):
                    with T.sblock("C_part"):
                        vj = T.axis.spatial(6, v_j)
                        vk = T.axis.spatial(32, ax1)
                        C_part[0, vk] = T.Cast("float32", W[vj, vk]) * T.float32(0.5)
                for i, k in T.grid(n, 32):
                    with T.sblock("C"):
                        vi = T.axis.spatial(n, i)
                        vj = T.axis.spatial(6, v_j)
                        vk = T.axis.reduce(32, k)
                        with T.init():
                            C[vi, vj] = T.float32(0.0)
                        C[vi, vj] = C[vi, vj] + A[vi, vk] * C_part[0, vk]
