# RUN: relax schedule %s --target cpu:x86-64-v3 --show
# Sums of rows that elements read: a row after the other, each in lanes, no vector of results across the rows. Where the
# elements of a row lie apart (columns), vectors of results it is.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def mean_of_rows(var_x: T.handle, var_out: T.handle):
        m = T.int64()
        n = T.int64()
        x = T.match_buffer(var_x, (m, n))
        out = T.match_buffer(var_out, (m,))
        red = T.sblock_alloc_buffer((m,))
        for i, k in T.grid(m, n):
            with T.sblock("red"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                with T.init():
                    red[v_i] = T.float32(0.0)
                red[v_i] = red[v_i] + x[v_i, v_k]
        for i in range(m):
            with T.sblock("out"):
                v_i = T.axis.spatial(m, i)
                out[v_i] = red[v_i] / T.Cast("float32", n)

    @T.prim_func(private=True, s_tir=True)
    def mean_of_columns(var_x: T.handle, var_out: T.handle):
        m = T.int64()
        n = T.int64()
        x = T.match_buffer(var_x, (n, m))
        out = T.match_buffer(var_out, (m,))
        red = T.sblock_alloc_buffer((m,))
        for i, k in T.grid(m, n):
            with T.sblock("red"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                with T.init():
                    red[v_i] = T.float32(0.0)
                red[v_i] = red[v_i] + x[v_k, v_i]
        for i in range(m):
            with T.sblock("out"):
                v_i = T.axis.spatial(m, i)
                out[v_i] = red[v_i] / T.Cast("float32", n)

    @T.prim_func(private=True, s_tir=True)
    def rows_less_sums(var_x: T.handle, var_w: T.handle, var_out: T.handle):
        m = T.int64()
        n = T.int64()
        b = T.int64()
        x = T.match_buffer(var_x, (m, n))
        w = T.match_buffer(var_w, (b, m))
        out = T.match_buffer(var_out, (b, m))
        red = T.sblock_alloc_buffer((m,))
        for i, k in T.grid(m, n):
            with T.sblock("red"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                with T.init():
                    red[v_i] = T.float32(0.0)
                red[v_i] = red[v_i] + x[v_i, v_k]
        for j, i in T.grid(b, m):
            with T.sblock("out"):
                v_j, v_i = T.axis.remap("SS", [j, i])
                out[v_j, v_i] = w[v_j, v_i] - red[v_i]
# WANT:
# mean_of_rows: rows
b0 = block("red")
b1 = block("out")
l2 = loop(b1, 0)
compute_at(b0, l2)
l3 = loop(b0, 1)
l4, l5 = split(l3, factors=[None, 32])
b6 = rfactor(b0, l5, -1, l2)
b7 = block("red_rf_init")
l8 = loop(b7, 1)
vectorize(l8)
vectorize(l5)
l9 = loop(b0, 1)
b10 = decompose_reduction(b0, l9)
vectorize(l9)
compact(l2)
parallel(l2)
# mean_of_columns: rows
b0 = block("out")
l1 = loop(b0, 0)
l2, l3 = split(l1, factors=[None, 8])
vectorize(l3)
b4 = block("red")
compute_at(b4, l2)
l5 = loop(b4, 2)
l6 = loop(b4, 1)
reorder(l5, l6)
vectorize(l6)
b7 = decompose_reduction(b4, l5)
compact(l2)
parallel(l2)
# rows_less_sums: rows
b0 = block("out")
l1 = loop(b0, 1)
l2, l3 = split(l1, factors=[None, 8])
vectorize(l3)
l4 = loop(b0, 0)
parallel(l4)
b5 = block("red")
l6 = loop(b5, 1)
l7, l8 = split(l6, factors=[None, 32])
l9 = loop(b5, 0)
b10 = rfactor(b5, l8, -1, l9)
b11 = block("red_rf_init")
l12 = loop(b11, 1)
vectorize(l12)
vectorize(l8)
l13 = loop(b5, 1)
b14 = decompose_reduction(b5, l13)
vectorize(l13)
compact(l9)
parallel(l9)
