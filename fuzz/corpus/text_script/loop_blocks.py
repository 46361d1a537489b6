@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32")):
        C = T.sblock_alloc_buffer((128, 128), scope="shared")
        D = T.sblock_alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
        for io, jo in T.grid(8, 8):
            with T.sblock("outer"):
                vio, vjo = T.axis.remap("SS", [io, jo])
                T.reads(A[vio * 16:vio * 16 + 16, vjo * 16:vjo * 16 + 16])
                T.writes(C[vio * 16:vio * 16 + 16, vjo * 16:vjo * 16 + 16])
                T.sblock_attr({"meta_schedule.tiling": [8, 16], "x": 1.5, "warp_execution": True, "auto": "text"})
                E = T.sblock_alloc_buffer((16, 16), scope="local")
                for i, j in T.grid(16, 16):
                    with T.sblock("inner"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        E[vi, vj] = A[vio * 16 + vi, vjo * 16 + vj]
                for i, j in T.grid(16, 16):
                    with T.sblock("inner2"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        C[vio * 16 + vi, vjo * 16 + vj] = E[vi, vj]
        for i, j in T.grid(128, 128):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(C[vi, 0:128])
                T.writes(B[vi, vj])
                B[vi, vj] = C[vi, vj]
