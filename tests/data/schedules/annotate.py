# RUN: b0 = block("C"); l1 = loop(b0, 1); annotate(l1, "pragma_note", 3); annotate(b0, "note", "kept")
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        # with T.sblock("root"):
        B = T.sblock_alloc_buffer((8, 16))
        for i, j in T.grid(8, 16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2.0)
        for i in range(8):
            for j in T.serial(16, annotations={"pragma_note": 3}):
                with T.sblock("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(B[vi, vj])
                    T.writes(C[vi, vj])
                    T.sblock_attr({"note": "kept"})
                    C[vi, vj] = B[vi, vj] + T.float32(1.0)
