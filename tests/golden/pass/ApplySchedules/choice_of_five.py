# RUN: relax opt --pass ApplySchedules --target cpu:x86-64-v4 %s | grep -e 'def ' -e 'if n' -e 'else' -e 'Module\.' -e parallel
# Panels of halves: the program for few rows, in which eight are computed at once, wants one for seven, and that one
# another for fewer still.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def linear(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(256)))
        Y = T.match_buffer(y, (n, T.int64(512)))
        for i, j, k in T.grid(n, T.int64(512), T.int64(256)):
            with T.sblock("linear"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y[vi, vj] = T.float32(0)
                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * T.Cast("float32", w[vj // T.int64(16), vk, vj % T.int64(16)])
# WANT:
    def linear(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        if n <= T.int64(1):
            Module.linear_row(x, w, y)
        elif n <= T.int64(16):
            if n <= T.int64(7):
                if n <= T.int64(4):
                    Module.linear_fewer_rows(x, w, y)
                else:
                    Module.linear_fewer_rows_1(x, w, y)
            else:
                Module.linear_few_rows(x, w, y)
        else:
            Module.linear_rows(x, w, y)
    def linear_row(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        for j_0_i_0_fused in T.parallel(n * T.int64(8)):
    def linear_fewer_rows(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        for j_0_i_0_fused in T.parallel((n + T.int64(3)) // T.int64(4) * T.int64(11)):
                else:
    def linear_fewer_rows_1(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        for j_0_i_0_fused in T.parallel((n + T.int64(6)) // T.int64(7) * T.int64(11)):
                else:
    def linear_few_rows(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        for j_0_i_0_fused in T.parallel((n + T.int64(7)) // T.int64(8) * T.int64(11)):
                else:
    def linear_rows(x: T.handle, w: T.Buffer((T.int64(32), T.int64(256), T.int64(16)), "float16"), y: T.handle):
        for j_0 in T.parallel(T.int64(11)):
                        else:
