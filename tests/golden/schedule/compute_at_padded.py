# RUN: relax schedule --check --do 'b0 = block("C"); b1 = block("B"); l2 = loop(b1, 1); l3, l4 = split(l2, factors=[None, 8]); compute_at(b0, l3); compact(l3); l5 = loop(b1, 0); parallel(l5)' %s
# The box reaches out of C on both sides: the moved block is guarded.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        C = T.sblock_alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(32, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.if_then_else(1 <= vj and vj < 31, C[vi, vj - 1] + C[vi, vj + 1], T.float32(0))
# WANT:
# main: trace
# b0 = block("B")
# l1 = loop(b0, 1)
# l2, l3 = split(l1, factors=[None, 8])
# b4 = block("C")
# compute_at(b4, l2)
# compact(l2)
# l5 = loop(b4, 0)
# parallel(l5)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        # with T.sblock("root"):
        for i in T.parallel(32):
            for j_0 in range(4):
                with T.sblock("C_local"):
                    v_i, v_j_0 = T.axis.remap("SS", [i, j_0])
                    C = T.sblock_alloc_buffer((1, 10))
                    for ax1 in range(10):
                        with T.sblock("C"):
                            vi = T.axis.spatial(32, v_i)
                            vj = T.axis.spatial(32, v_j_0 * 8 - 1 + ax1)
                            T.where(0 <= v_j_0 * 8 - 1 + ax1 and v_j_0 * 8 - 1 + ax1 < 32)
                            C[0, vj - (v_j_0 * 8 - 1)] = A[vi, vj] + T.float32(1.0)
                    for j_1 in range(8):
                        with T.sblock("B"):
                            vi = T.axis.spatial(32, v_i)
                            vj = T.axis.spatial(32, v_j_0 * 8 + j_1)
                            B[vi, vj] = T.if_then_else(1 <= vj and vj < 31, C[0, vj - v_j_0 * 8] + C[0, vj - v_j_0 * 8 + 2], T.float32(0.0))
