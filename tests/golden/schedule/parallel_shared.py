# RUN: relax schedule --check --do 'b0 = block("C"); b1 = block("B"); l2 = loop(b1, 0); compute_at(b0, l2); compact(l2); parallel(l2)' %s
# All iterations would share the row of C.
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
                B[vi, vj] = C[vi, vj] * C[vi, 31 - vj]
# WANT:
# main: trace
# b0 = block("C")
# b1 = block("B")
# l2 = loop(b1, 0)
# compute_at(b0, l2)
# compact(l2)
# parallel(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        # with T.sblock("root"):
        for i in T.parallel(32):
            with T.sblock("C_local"):
                v_i = T.axis.spatial(32, i)
                C = T.sblock_alloc_buffer((1, 32))
                for ax1 in range(32):
                    with T.sblock("C"):
                        vi = T.axis.spatial(32, v_i)
                        vj = T.axis.spatial(32, ax1)
                        C[0, vj] = A[vi, vj] + T.float32(1.0)
                for j in range(32):
                    with T.sblock("B"):
                        vi = T.axis.spatial(32, v_i)
                        vj = T.axis.spatial(32, j)
                        B[vi, vj] = C[0, vj] * C[0, 31 - vj]
