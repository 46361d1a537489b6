# RUN: relax schedule --check --do 'b0 = block("C"); b1 = group(b0, 4); l1 = loop(b1, 0); skip(l1)' %s
# Rows sorted by the matrix they choose: four at a time share one. What no row is in is not computed.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(var_A: T.handle, W: T.Buffer((3, 16, 4), "float32"), var_e: T.handle, var_C: T.handle):
        t = T.int64()
        A = T.match_buffer(var_A, (t, T.int64(4)))
        e = T.match_buffer(var_e, (t, T.int64(2)), "int32")
        C = T.match_buffer(var_C, (t, T.int64(2), T.int64(16)))
        for i, j, n, k in T.grid(t, T.int64(2), T.int64(16), T.int64(4)):
            with T.sblock("C"):
                vi, vj, vn, vk = T.axis.remap("SSSR", [i, j, n, k])
                with T.init():
                    C[vi, vj, vn] = T.float32(0)
                C[vi, vj, vn] = C[vi, vj, vn] + A[vi, vk] * W[T.max(T.min(T.Cast("int64", e[vi, vj]), T.int64(2)), T.int64(0)), vn, vk]
# WANT:
# main: trace
# b0 = block("C")
# b1 = group(b0, 4)
# l2 = loop(b1, 0)
# skip(l2)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(var_A: T.handle, W: T.Buffer((3, 16, 4), "float32"), var_e: T.handle, var_C: T.handle):
        t = T.int64()
        A = T.match_buffer(var_A, (t, T.int64(4)))
        e = T.match_buffer(var_e, (t, T.int64(2)), "int32")
        C = T.match_buffer(var_C, (t, T.int64(2), T.int64(16)))
        # with T.sblock("root"):
        C_row = T.sblock_alloc_buffer(((t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3))) * T.int64(4),), "int64")
        C_slot = T.sblock_alloc_buffer((t * T.int64(2),), "int64")
        C_of = T.sblock_alloc_buffer((t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3)),), "int64")
        C_tiles = T.sblock_alloc_buffer((t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3)), T.int64(4), T.int64(16)))
        C_first = T.sblock_alloc_buffer((T.int64(3),), "int64")
        C_filled = T.sblock_alloc_buffer((T.int64(3),), "int64")
        C_used = T.sblock_alloc_buffer((), "int64")
        with T.sblock("C_order"):
            for i in range(T.int64(3)):
                C_filled[i] = T.int64(0)
            for i in range(t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3))):
                C_of[i] = T.int64(-1)
            for i in range((t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3))) * T.int64(4)):
                C_row[i] = T.int64(0)
            C_used[()] = T.int64(0)
            for p in range(t * T.int64(2)):
                C_filled[T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))] = C_filled[T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))] + T.int64(1)
            for key in range(T.int64(3)):
                C_first[key] = C_used[()]
                C_used[()] = C_used[()] + (C_filled[key] + T.int64(3)) // T.int64(4) * T.int64(4)
            for p in range(t * T.int64(2)):
                C_slot[p] = C_first[T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))]
                C_row[C_slot[p]] = p
                C_of[C_slot[p] // T.int64(4)] = T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))
                C_first[T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))] = C_first[T.max(T.min(T.Cast("int64", e[p // T.int64(2), p % T.int64(2)]), T.int64(2)), T.int64(0))] + T.int64(1)
        for ax0 in range(t * T.int64(2) // T.int64(4) + T.min(t * T.int64(2), T.int64(3))):
            if C_of[ax0] >= T.int64(0):
                for ax1, ax2, ax3 in T.grid(T.int64(4), T.int64(16), T.int64(4)):
                    with T.sblock("C_tiles"):
                        v_tile, v_row, vn, vk = T.axis.remap("SSSR", [ax0, ax1, ax2, ax3])
                        with T.init():
                            C_tiles[v_tile, v_row, vn] = T.float32(0.0)
                        C_tiles[v_tile, v_row, vn] = C_tiles[v_tile, v_row, vn] + A[C_row[v_tile * T.int64(4) + v_row] // T.int64(2), vk] * W[T.max(C_of[v_tile], T.int64(0)), vn, vk]
        for ax0, ax1, ax2 in T.grid(t, T.int64(2), T.int64(16)):
            with T.sblock("C"):
                vi, vj, vn = T.axis.remap("SSS", [ax0, ax1, ax2])
                C[vi, vj, vn] = C_tiles[C_slot[vi * T.int64(2) + vj] // T.int64(4), C_slot[vi * T.int64(2) + vj] % T.int64(4), vn]
